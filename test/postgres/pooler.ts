import { execFileSync, spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort, giveAway, identity, makeFolder } from './server.ts'

const POLL_MS = 50

/** A PgBouncer before a database, which gives each transaction whatever connection is free. */
export interface TestPooler {
  /** As the role of `target`, which needs no password here. */
  readonly url: string
  stop(): Promise<void>
}

/** The program; null where it is not installed. */
export function findPooler(): string | null {
  const folders = ['/usr/sbin', ...(process.env.PATH ?? '').split(delimiter).filter(Boolean)]
  return folders.map((folder) => join(folder, 'pgbouncer')).find((path) => existsSync(path)) ?? null
}

/** Starts one that shares so few connections that clients meet each other's. */
export async function startPooler(target: string, { connections = 2 } = {}): Promise<TestPooler> {
  const program = findPooler()
  if (program === null) throw new Error('Cannot start PgBouncer: it is not installed')
  const { hostname, port, pathname, username, password } = new URL(target)
  const folder = makeFolder('pooler-')
  const own = await findFreePort()
  const config = join(folder, 'pgbouncer.ini')
  const login = `user=${username} password=${decodeURIComponent(password)}`
  writeFileSync(
    config,
    `[databases]
pooled = host=${hostname} port=${port} dbname=${pathname.slice(1)} ${login}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${connections}
max_client_conn = 200
logfile = ${join(folder, 'pooler.log')}
`,
  )
  giveAway(config)
  const child = spawn(program, ['--quiet', config], { stdio: 'ignore', cwd: '/', ...identity() })
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()))
  const state = { hasEnded: false }
  void ended.then(() => {
    state.hasEnded = true
  })
  while (!(await answers(own))) {
    if (state.hasEnded) throw new Error(`Cannot start PgBouncer: see ${folder}`)
    await sleep(POLL_MS)
  }
  return {
    url: `postgres://${username}@127.0.0.1:${own}/pooled`,
    stop: async () => {
      child.kill('SIGKILL')
      await ended
      execFileSync('rm', ['-rf', folder])
    },
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.once('close', () => socket.destroy())
    socket.once('connect', () => socket.end())
  })
}
