import { readdirSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { StoreFinding } from '../memory-store.ts'
import type { Connection } from './connection.ts'

/** What may stand beside a store under its name: SQLite's own, backups of upgrades, what mending leaves, and halves of both. */
const COMPANION = /^(?:-(?:wal|shm|journal)|\.v\d+(?:-\d+)?\.bak|\.(?:damaged|kept)-.*|.*\.part(?:-(?:wal|shm))?)?$/
const COPY = /\.bak$|\.damaged-[^/]*$|\.kept-[^/]*\.jsonl$/
/** An unfinished file names the process that writes it. */
const PART = /\.(\d+)\.part(?:-(?:wal|shm))?$/

/** Who may read the store, and what lies about beside it. Nothing is changed: somebody may have opened it to others on purpose. */
export function checkSurroundings(connection: Connection): StoreFinding[] {
  const { location } = connection
  return [
    ...findOpenFiles(location).map((name) => ({
      id: 'store-readable-by-others',
      severity: 'warning' as const,
      message: `Others on this machine may read ${name}`,
      remedy: `Run "chmod 600 ${quote(name)}", or "madeleine doctor --fix"`,
    })),
    ...findOpenFolders(location).map((name) => ({
      id: 'folder-readable-by-others',
      severity: 'warning' as const,
      message: `Others on this machine may list ${name}`,
      remedy: `Run "chmod 700 ${quote(name)}", or "madeleine doctor --fix"`,
    })),
    ...checkLeftovers(location),
    ...checkCopies(connection),
  ]
}

/** Files of the store that others than their owner may read or write. */
export function findOpenFiles(location: string): string[] {
  return process.platform === 'win32' ? [] : listCompanions(location).filter((name) => isOpen(statOf(name)))
}

/** The store's folder, when it is open to others and holds nothing else: a folder that holds more is not ours to judge. */
export function findOpenFolders(location: string): string[] {
  if (process.platform === 'win32') return []
  const folder = dirname(location)
  const isOurs = readdirSync(folder).length === listCompanions(location).length
  return isOurs && isOpen(statOf(folder)) ? [folder] : []
}

/** Unfinished files of processes that are gone. */
export function findLeftovers(location: string): string[] {
  return listCompanions(location).filter((name) => {
    const pid = Number(PART.exec(name)?.[1] ?? 0)
    return pid > 0 && !isRunning(pid)
  })
}

function checkLeftovers(location: string): StoreFinding[] {
  const names = findLeftovers(location)
  if (names.length === 0) return []
  return [
    {
      id: 'leftover-files',
      severity: 'warning',
      message: `A process that was ended left unfinished files: ${names.join(', ')}`,
      remedy: `Run "rm ${names.map(quote).join(' ')}", or "madeleine doctor --fix"`,
    },
  ]
}

/** Copies of earlier states hold what was forgotten since. They are the user's to delete. */
function checkCopies(connection: Connection): StoreFinding[] {
  const last = connection.sql('SELECT max(forgotten_at) AS at FROM tombstone').get()?.at
  const lastMs = typeof last === 'string' ? Date.parse(last) : Number.NaN
  const names = listCompanions(connection.location).filter(
    (name) => COPY.test(name) && (statOf(name)?.mtimeMs ?? 0) < lastMs,
  )
  if (names.length === 0) return []
  return [
    {
      id: 'forgotten-in-copies',
      severity: 'warning',
      message: `Copies of the store may still hold what was forgotten after them: ${names.join(', ')}`,
      remedy: `Delete them when you need them no more: rm ${names.map(quote).join(' ')}`,
    },
  ]
}

function listCompanions(location: string): string[] {
  const folder = dirname(location)
  const name = basename(location)
  return readdirSync(folder)
    .filter((entry) => entry.startsWith(name) && COMPANION.test(entry.slice(name.length)))
    .sort()
    .map((entry) => join(folder, entry))
}

function isOpen(stats: Stats | undefined): boolean {
  return stats !== undefined && (stats.mode & 0o077) !== 0
}

function statOf(name: string): Stats | undefined {
  return statSync(name, { throwIfNoEntry: false })
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it is there, and somebody else's.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** A path as a shell takes it. */
function quote(path: string): string {
  return /^[\w./@+-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`
}
