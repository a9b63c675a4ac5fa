import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { appendFileSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findBinaries } from './find-binaries.ts'

/** Name of the superuser of every server that tests start. */
const ADMIN = 'admin'
const PASSWORD = 'of a server for tests'
const START_ATTEMPTS = 3
/** How long starting, stopping and promoting may take, s: a busy machine takes its time. */
const CONTROL_LIMIT_S = 300
/** How often it is looked whether killed processes are gone, s. */
const PAUSE_S = '0.02'

export interface ServerOptions {
  /** Folder of its data, which is made; default: a new one under the system's folder for temporary files. */
  folder?: string
  /** Survives a crash of the machine, as servers do by default; otherwise nothing is flushed, which is faster. */
  isDurable?: boolean
  /** Further lines of postgresql.conf. */
  settings?: Readonly<Record<string, string | number>>
  /** It is stopped and removed when the process of this id is gone; default: this process. */
  ownerPid?: number
}

/** A PostgreSQL server on a port of the loopback interface. */
export interface TestServer {
  readonly folder: string
  readonly port: number
  /** Of its superuser. */
  readonly adminUrl: string
  /** Starts it again after `stop` or `kill`, on the same port. */
  start(): void
  /** `fast` ends its connections; `immediate` ends as in a crash. */
  stop(mode?: 'fast' | 'immediate'): void
  /** Kills it as `kill -9` does, its children with it. */
  kill(): void
  /** Another server that follows this one, ready to serve reads. */
  startReplica(options?: { settings?: Readonly<Record<string, string | number>> }): Promise<TestServer>
  /** Makes a replica a primary. */
  promote(): void
  /** Stops it where it runs and removes its folder. */
  remove(): void
}

/** Makes and starts a server. It ends with `remove`, or with the process that it belongs to. */
export async function startServer(options: ServerOptions = {}): Promise<TestServer> {
  const { folder, data } = makeFolders(options.folder)
  const password = join(folder, 'password')
  writeFileSync(password, PASSWORD)
  giveAway(password)
  // A collation that is not by code point, as most servers have: what relies on byte order has to say so.
  const collation = ['--encoding=UTF8', '--locale=C.UTF-8', '--locale-provider=icu', '--icu-locale=en-US']
  const access = [`--username=${ADMIN}`, `--pwfile=${password}`, '--auth-host=scram-sha-256', '--auth-local=trust']
  run('initdb', ['--no-sync', `--pgdata=${data}`, ...collation, ...access])
  const durability = options.isDurable ? {} : { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' }
  configure(data, { max_connections: 200, ...durability, ...options.settings })
  return startAt(folder, options.ownerPid)
}

function makeFolders(given?: string): { folder: string; data: string } {
  const folder = given ?? mkdtempSync(join(tmpdir(), 'postgres-'))
  mkdirSync(folder, { recursive: true })
  giveAway(folder)
  return { folder, data: join(folder, 'data') }
}

async function startAt(folder: string, ownerPid = process.pid): Promise<TestServer> {
  const data = join(folder, 'data')
  for (let attempt = 1; ; attempt++) {
    const port = await findFreePort()
    configure(data, { listen_addresses: "'127.0.0.1'", port, unix_socket_directories: `'${folder}'` })
    try {
      control(folder, 'start')
    } catch (error) {
      // Another program may have taken the port meanwhile.
      if (attempt < START_ATTEMPTS) continue
      throw error
    }
    watchOwner(folder, ownerPid)
    return new Server(folder, port)
  }
}

class Server implements TestServer {
  readonly folder: string
  readonly port: number
  readonly adminUrl: string

  constructor(folder: string, port: number) {
    this.folder = folder
    this.port = port
    this.adminUrl = `postgres://${ADMIN}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/postgres`
  }

  start(): void {
    control(this.folder, 'start')
  }

  stop(mode: 'fast' | 'immediate' = 'fast'): void {
    control(this.folder, 'stop', `--mode=${mode}`)
  }

  kill(): void {
    const lock = join(this.folder, 'data', 'postmaster.pid')
    const pid = Number(readFileSync(lock, 'utf8').split('\n')[0])
    const all = [pid, ...listProcesses().flatMap((one) => (one.parent === pid ? [one.pid] : []))]
    for (const one of all) killIfThere(one)
    // Until they are gone they hold the port.
    while (listProcesses().some((one) => all.includes(one.pid) && !one.isDead)) spawnSync('sleep', [PAUSE_S])
    // Where nobody collects dead processes, the locks of a dead server look like those of a living one.
    const socket = join(this.folder, `.s.PGSQL.${this.port}`)
    for (const file of [lock, socket, `${socket}.lock`]) rmSync(file, { force: true })
  }

  async startReplica({
    settings = {},
  }: {
    settings?: Readonly<Record<string, string | number>>
  } = {}): Promise<TestServer> {
    const { folder, data } = makeFolders()
    const source = new URL(this.adminUrl)
    source.pathname = ''
    run('pg_basebackup', [`--pgdata=${data}`, '--write-recovery-conf', '--checkpoint=fast', `--dbname=${source.href}`])
    configure(data, settings)
    return startAt(folder)
  }

  promote(): void {
    control(this.folder, 'promote')
  }

  remove(): void {
    removeServer(this.folder)
  }
}

/** Stops the server of a folder where it runs, and removes the folder. */
export function removeServer(folder: string): void {
  try {
    control(folder, 'stop', '--mode=immediate')
  } catch {
    // It does not run: nothing to stop.
  }
  rmSync(folder, { recursive: true, force: true })
}

/** Where the owner ends without having removed the server, somebody has to: SIGQUIT is an immediate stop. */
function watchOwner(folder: string, ownerPid: number): void {
  const script = `while kill -0 "$1" && [ -d "$2/data" ]; do sleep 1; done
    kill -QUIT "$(head -n 1 "$2/data/postmaster.pid")"; sleep 1; rm -rf "$2"`
  const args = ['-c', script, 'sh', String(ownerPid), folder]
  spawn('sh', args, { detached: true, stdio: 'ignore' }).unref()
}

/** `isDead`: it has ended, and nobody has collected it. */
function listProcesses(): Array<{ pid: number; parent: number; isDead: boolean }> {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat='], { encoding: 'utf8' }).trim().split('\n')
  return lines.map((line) => {
    const [pid, parent, state = ''] = line.trim().split(/\s+/)
    return { pid: Number(pid), parent: Number(parent), isDead: state.startsWith('Z') }
  })
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended by itself meanwhile.
  }
}

function control(folder: string, command: string, ...options: string[]): void {
  const log = command === 'start' ? [`--log=${join(folder, 'server.log')}`] : []
  run('pg_ctl', [
    command,
    '--silent',
    '--wait',
    `--timeout=${CONTROL_LIMIT_S}`,
    `--pgdata=${join(folder, 'data')}`,
    ...log,
    ...options,
  ])
}

function configure(data: string, settings: Readonly<Record<string, string | number>>): void {
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}\n`)
  appendFileSync(join(data, 'postgresql.conf'), lines.join(''))
}

function programPath(program: string): string {
  const folder = findBinaries()
  if (!folder) throw new Error('Cannot start PostgreSQL: no server of version 15 or newer is installed')
  return join(folder, program)
}

function run(program: string, args: readonly string[]): void {
  // Whatever it starts must not hold this process's output open.
  const { status, stderr, error } = spawnSync(programPath(program), args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    cwd: '/',
    env: { PATH: process.env.PATH ?? '', LC_ALL: 'C.UTF-8' },
    ...identity(),
  })
  if (status !== 0) throw new Error(`Cannot run ${program} ${args.join(' ')}: ${error?.message ?? stderr}`)
}

/** PostgreSQL and its pooler refuse to run as root: then they run as the user that its package made. */
export function identity(): { uid: number; gid: number } | Record<string, never> {
  if (process.getuid?.() !== 0) return {}
  const idOf = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}

/** A new folder of that user under the system's folder for temporary files. */
export function makeFolder(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix))
  giveAway(folder)
  return folder
}

export function giveAway(path: string): void {
  const { uid, gid } = identity()
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid)
}

export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
