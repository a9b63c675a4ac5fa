import { closeSync, openSync, rmSync, statSync } from 'node:fs'
import { connect, type Server } from 'node:net'
import { WARM_START_MS } from '../host-options.ts'
import type { WarmPlace } from './warm-place.ts'

/**
 * Makes this server the one that listens at a place; false when another one is, or is about to. Sockets that a killed process left
 * behind are replaced. The folder must exist.
 */
export async function claimPlace(server: Server, place: WarmPlace, now: () => number): Promise<boolean> {
  if (!takeLock(place.lock, now())) return false
  try {
    if (await isHeard(place.socket)) return false
    rmSync(place.card, { force: true })
    if (!isPipe(place.socket)) rmSync(place.socket, { force: true })
    return await listen(server, place.socket)
  } finally {
    rmSync(place.lock, { force: true })
  }
}

/** Whether somebody listens: the system itself answers, however busy that process is. */
function isHeard(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(socket)
    const finish = (heard: boolean): void => {
      probe.destroy()
      resolve(heard)
    }
    probe.once('connect', () => finish(true))
    probe.once('error', () => finish(false))
  })
}

export const isPipe = (socket: string): boolean => socket.startsWith('\\\\.\\pipe\\')

/** Atomic. A lock that is older than any start takes is of a process that was killed at it. */
function takeLock(lock: string, nowMs: number): boolean {
  for (const mayBreak of [true, false]) {
    try {
      closeSync(openSync(lock, 'wx', 0o600))
      return true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      const heldSinceMs = statSync(lock, { throwIfNoEntry: false })?.mtimeMs
      if (!mayBreak || (heldSinceMs !== undefined && nowMs - heldSinceMs < WARM_START_MS)) return false
      rmSync(lock, { force: true })
    }
  }
  return false
}

/** The socket is its user's alone from its first moment: the mask holds while the system makes it. */
function listen(server: Server, socket: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false)
      else reject(error)
    })
    const mask = isPipe(socket) ? undefined : process.umask(0o177)
    try {
      server.listen(socket, () => resolve(true))
    } finally {
      if (mask !== undefined) process.umask(mask)
    }
  })
}
