import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { MemoryStore } from '../src/store/memory-store.ts'
import { openPostgresStore } from '../src/store/postgres/open-postgres-store.ts'
import { openSqliteStore } from '../src/store/sqlite/open-sqlite-store.ts'
import { runAs } from '../test/postgres/run-as.ts'
import { NOW, TENANT } from './scale-corpus.ts'

/** Of role and database. */
const ROLE = 'madeleine_scale'
/** Where a store is when its address does not say otherwise. */
const SCHEMA = 'madeleine'

/** Where a store is that several processes open. */
export interface Place {
  name: string
  /** A file, or the address of a database. */
  location: string
  /** Of the server, where this process started it. */
  folder?: string
}

const isServer = ({ location }: Place): boolean => location.startsWith('postgres')

export function openPlace(place: Place): Promise<MemoryStore> {
  const clock = (): Date => NOW
  return isServer(place)
    ? openPostgresStore({ url: place.location, tenants: [TENANT], clock })
    : openSqliteStore({ file: place.location, clock })
}

/** What it takes on disk, bytes. */
export async function sizeOf(place: Place): Promise<number> {
  if (!isServer(place)) {
    return [place.location, `${place.location}-wal`]
      .filter((file) => existsSync(file))
      .reduce((sum, file) => sum + statSync(file).size, 0)
  }
  const [row] = await runAs(place.location, [
    `SELECT sum(pg_total_relation_size(c.oid)) AS size FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = '${SCHEMA}' AND c.relkind = 'r'`,
  ])
  return Number(row?.size)
}

/** What a server does by itself after many rows were written, and what is better done before times are taken. */
export async function settle(place: Place): Promise<void> {
  if (!isServer(place)) return
  await runAs(place.location, ['VACUUM ANALYZE'])
}

/** A database for one store on a server, owned by a role that row-level security binds, as that of a program should be. */
export async function prepareDatabase(adminUrl: string): Promise<Place> {
  const password = randomUUID()
  await runAs(adminUrl, [`CREATE ROLE ${ROLE} LOGIN PASSWORD '${password}'`, `CREATE DATABASE ${ROLE} OWNER ${ROLE}`])
  const url = new URL(adminUrl)
  url.pathname = `/${ROLE}`
  const [found] = await runAs(url.href, ["SELECT 1 FROM pg_available_extensions WHERE name = 'vector'"])
  if (found) await runAs(url.href, ['CREATE EXTENSION vector'])
  url.username = ROLE
  url.password = password
  return { name: found ? 'PostgreSQL with pgvector' : 'PostgreSQL', location: url.href }
}

export async function dropDatabase(adminUrl: string): Promise<void> {
  await runAs(adminUrl, [`DROP DATABASE IF EXISTS ${ROLE} WITH (FORCE)`, `DROP ROLE IF EXISTS ${ROLE}`])
}

/** Hundredths of a second are what the system counts in. */
const TICK_MS = 10

/** CPU time of a server and its connections so far, ms, where the system tells it (Linux); 0 of a file. */
export function serverCpuMs({ folder }: Place): number {
  if (folder === undefined || !existsSync('/proc/self/stat')) return 0
  const main = Number(readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n')[0])
  const processes = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
  const children = processes
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([pid = 0, parent]) => (parent === main ? [pid] : []))
  const ticks = [ticksOf(main), ...children.map(ticksOf)]
  return TICK_MS * ticks.reduce((sum, { own }) => sum + own, ticks[0]?.ofEnded ?? 0)
}

function ticksOf(pid: number): { own: number; ofEnded: number } {
  const file = `/proc/${pid}/stat`
  if (!existsSync(file)) return { own: 0, ofEnded: 0 }
  const text = readFileSync(file, 'utf8')
  // The name before may hold anything; user and system time are the 12th and 13th field after it, then those of ended children.
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15)
    .map(Number)
  return { own: user + system, ofEnded: endedUser + endedSystem }
}
