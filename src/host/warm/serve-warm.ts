import { randomBytes, timingSafeEqual } from 'node:crypto'
import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { makeFolder } from '../../files/make-folder.ts'
import type { RecallRequest, RecallResponse } from '../../model/recall.ts'
import { WARM_CHECK_MS, WARM_IDLE_MS, WARM_MAX_GROWTH_BYTES, WARM_MAX_REQUEST_BYTES } from '../host-options.ts'
import { claimPlace, isPipe } from './claim-place.ts'
import { createErrands, type Errands } from './errands.ts'
import { isOwnFolder } from './own-folder.ts'
import { createLineReader, type WarmCall, type WarmRequest, type WarmResults, type WarmState } from './protocol.ts'
import type { WarmCard, WarmPlace } from './warm-place.ts'

/** What the warm process does for those who ask. */
export interface WarmWork {
  /** Never rejects. */
  recall(request: RecallRequest): Promise<RecallResponse>
  /** Rejects when it could not be done. */
  indexTranscript(path: string, signal: AbortSignal): Promise<void>
}

export interface ServeOptions {
  place: WarmPlace
  version: string
  fingerprint: string
  /** Called once this process is the one. */
  openWork(): Promise<WarmWork & { close(): Promise<void> }>
  /** Transcripts to begin with. */
  errands?: readonly string[]
  /** Ends the process at once; what is committed stays. */
  signal: AbortSignal
  idleMs?: number
  /** Bytes that this process holds. */
  heldBytes?: () => number
  now?: () => number
  /** Told of errands that failed. */
  onFailure(event: string, error: unknown): void
}

/**
 * Listens at a place until it was not asked for `idleMs`, is told to stop, holds too much memory, or is not the one that is found there any
 * more. 'taken'
 * at once when another process listens there. Rejects when the work cannot be opened.
 */
export async function serveWarm(options: ServeOptions): Promise<'ended' | 'taken'> {
  const { place, now = Date.now } = options
  makeFolder(place.folder)
  if (!isOwnFolder(place.folder)) throw new Error(`${place.folder} is not this user's alone (mode 0700)`)
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    // Whoever asked may be gone: nobody waits for the answer then.
    socket.on('error', () => socket.destroy())
  })
  if (!(await claimPlace(server, place, now))) return 'taken'
  const ownSocket = fileId(place.socket)
  try {
    const work = await options.openWork()
    try {
      await serveUntilEnd(server, { ...options, now, work, ownSocket, sockets })
    } finally {
      await work.close()
    }
  } finally {
    leave(server, { place, ownSocket })
    for (const socket of sockets) socket.destroy()
  }
  return 'ended'
}

interface Serving extends ServeOptions {
  now: () => number
  work: WarmWork
  ownSocket: string | undefined
  sockets: ReadonlySet<Socket>
}

async function serveUntilEnd(server: Server, options: Serving): Promise<void> {
  const { place, signal, now, work, ownSocket, sockets, idleMs = WARM_IDLE_MS } = options
  const ended = new AbortController()
  const errands = createErrands({
    run: (path) => work.indexTranscript(path, signal),
    onFailure: (error) => options.onFailure('index-transcript', error),
  })
  const { version, fingerprint } = options
  const token = randomBytes(24).toString('hex')
  const card: WarmCard = { pid: process.pid, version, fingerprint, token, startedAt: new Date(now()).toISOString() }
  let askedAt = now()
  server.on('connection', (socket) =>
    talk(socket, token, (call) => {
      askedAt = now()
      // Not before the answer is out.
      return answer(call, { card, errands, work, end: () => setImmediate(() => ended.abort()) })
    }),
  )
  writeCard(place, card)
  for (const path of options.errands ?? []) errands.add(path)
  const isFound = (): boolean => isPipe(place.socket) || fileId(place.socket) === ownSocket
  const held = options.heldBytes ?? (() => process.memoryUsage.rss())
  const heldWhenReady = held()
  const isTooLarge = (): boolean => held() - heldWhenReady > WARM_MAX_GROWTH_BYTES
  const isIdle = (): boolean => errands.count() === 0 && now() - askedAt > idleMs
  const check = setInterval(
    () => (!isFound() || isIdle() || isTooLarge()) && ended.abort(),
    Math.min(WARM_CHECK_MS, idleMs),
  )
  await firstOf(ended.signal, signal)
  clearInterval(check)
  leave(server, { place, ownSocket })
  for (const socket of sockets) socket.end()
  if (!signal.aborted) await errands.done()
}

/** Reads requests off a connection and writes their answers, in the order in which they are ready. */
function talk(socket: Socket, token: string, answerTo: (call: WarmCall) => Promise<object>): void {
  const read = createLineReader(WARM_MAX_REQUEST_BYTES)
  socket.on('data', (piece: Buffer) => {
    const lines = read(piece)
    if (lines === 'too-long') {
      socket.destroy()
      return
    }
    for (const line of lines) {
      const request = parseRequest(line, token)
      if (request === null) socket.destroy()
      else void answerTo(request).then((result) => !socket.destroyed && socket.write(`${JSON.stringify(result)}\n`))
    }
  })
}

/** Null for what is no request, or carries another token. */
function parseRequest(line: string, token: string): WarmRequest | null {
  try {
    const request = JSON.parse(line) as Partial<WarmRequest> | null
    const given = Buffer.from(String(request?.token))
    const wanted = Buffer.from(token)
    const mayAsk = given.length === wanted.length && timingSafeEqual(given, wanted)
    return mayAsk && typeof request?.method === 'string' ? (request as WarmRequest) : null
  } catch {
    // Not of ours.
    return null
  }
}

async function answer(
  call: WarmCall,
  { card, errands, work, end }: { card: WarmCard; errands: Errands; work: WarmWork; end: () => void },
): Promise<{ ok: true; result: WarmResults[keyof WarmResults] } | { ok: false; reason: string }> {
  switch (call.method) {
    case 'ping': {
      const { pid, version, fingerprint, startedAt } = card
      const state: WarmState = { pid, version, fingerprint, startedAt, errands: errands.count() }
      return { ok: true, result: state }
    }
    case 'recall': {
      const result = await withinTime(work.recall(call.request), call.deadlineMs)
      if (result === null) return { ok: false, reason: `no answer within ${call.deadlineMs} ms` }
      // The store was moved, replaced or damaged: another process will see what it is now.
      if (result.reason === 'error') end()
      return result.reason === 'error' ? { ok: false, reason: 'the store cannot be used' } : { ok: true, result }
    }
    case 'index-transcript':
      errands.add(String(call.path))
      return { ok: true, result: { isTaken: true } }
    case 'stop':
      end()
      return { ok: true, result: { isEnding: true } }
    default:
      return { ok: false, reason: 'no such method' }
  }
}

async function withinTime<T>(work: Promise<T>, ms: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Whole or not at all: whoever reads it may use it. */
function writeCard({ card: file }: WarmPlace, card: WarmCard): void {
  const part = `${file}.${process.pid}`
  writeFileSync(part, JSON.stringify(card), { mode: 0o600 })
  renameSync(part, file)
}

/** Takes away card and socket, unless another process has put its own there. */
function leave(server: Server, { place, ownSocket }: { place: WarmPlace; ownSocket: string | undefined }): void {
  const isOwn = isPipe(place.socket) || fileId(place.socket) === ownSocket
  if (isOwn) rmSync(place.card, { force: true })
  // Closing removes the socket by its name, whosever it is by now.
  if (isOwn && server.listening) server.close()
  else server.unref()
}

function fileId(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found && `${found.dev}:${found.ino}`
}

function firstOf(...signals: AbortSignal[]): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of signals) {
      if (signal.aborted) resolve()
      else signal.addEventListener('abort', () => resolve(), { once: true })
    }
  })
}
