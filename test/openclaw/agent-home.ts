import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import type { StartIndexRun } from '../../src/host/openclaw/background-index.ts'
import { type PluginMode, registerPlugin } from '../../src/host/openclaw/register-plugin.ts'
import { type OpenOptions, openMadeleine } from '../../src/index.ts'
import { createFakeHost, type FakeHost, type FakeHostOptions } from './fake-host.ts'

/** The state folder of a host with agents, and the plugin registered there. Made anew for each test. */
export interface AgentHome {
  readonly stateDir: string
  readonly storeFile: string
  workspace(agent?: string): string
  /** Writes a note into an agent's workspace. */
  note(path: string, text: string, agent?: string): void
  /** Writes a session's transcript, one record a line. */
  session(id: string, records: readonly object[], agent?: string): void
  /** Brings the store up to date as the plugin would. */
  index(): Promise<void>
  /** A host with the plugin registered in `full` mode, over this folder. No model, and time enough, unless the options say otherwise. */
  /** What the plugin is set to, unless a test sets it otherwise. */
  config(): Record<string, unknown>
  start(options?: Partial<FakeHostOptions> & { mode?: PluginMode; seams?: OpenSeam }): FakeHost
  /** The runs of the indexer that the plugin asked for. */
  readonly runs: OpenOptions[]
}

/** What a test changes about the engine that the plugin opens. */
export type OpenSeam = (options: OpenOptions) => OpenOptions

export function useAgentHome(): AgentHome {
  let stateDir = ''
  const hosts: FakeHost[] = []
  const runs: OpenOptions[] = []

  const write = (file: string, text: string): void => {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  // What the process does, in this one: the options go over as text there too.
  const startIndexRun: StartIndexRun = (options) => {
    runs.push(options)
    const ended = indexOnce(JSON.parse(JSON.stringify(options)) as OpenOptions)
    return { ended, stop: () => undefined }
  }

  beforeEach(() => {
    stateDir = realpathSync(mkdtempSync(join(tmpdir(), 'madeleine-agents-')))
  })
  afterEach(async () => {
    for (const host of hosts.splice(0)) for (const service of host.services) await service.stop()
    runs.length = 0
    rmSync(stateDir, { recursive: true, force: true })
  })

  const home: AgentHome = {
    get stateDir() {
      return stateDir
    },
    get storeFile() {
      return join(stateDir, 'memory', 'store.sqlite')
    },
    runs,
    workspace: (agent = 'main') => join(stateDir, agent === 'main' ? 'workspace' : `workspace-${agent}`),
    note: (path, text, agent) => write(join(home.workspace(agent), path), text),
    session: (id, records, agent = 'main') =>
      write(
        join(stateDir, 'agents', agent, 'sessions', `${id}.jsonl`),
        `${records.map((record) => JSON.stringify(record)).join('\n')}\n`,
      ),
    async index() {
      const host = home.start()
      await host.fire('agent_end', {}, {})
      for (const service of host.services) await service.stop()
    },
    config: () => ({ store: home.storeFile, embedding: 'none', timeZone: 'UTC', recall: { deadlineMs: 60_000 } }),
    start({ mode = 'companion', seams = (opened: OpenOptions) => opened, ...options } = {}) {
      const host = createFakeHost({
        generation: 'modern',
        stateDir,
        isMemoryKind: mode === 'owner',
        pluginConfig: home.config(),
        ...options,
      })
      hosts.push(host)
      registerPlugin(
        host.api('full'),
        { id: mode === 'owner' ? 'madeleine-memory' : 'madeleine', mode },
        { startIndexRun, openEngine: (opened) => openMadeleine(seams(opened)) },
      )
      return host
    },
  }
  return home
}

async function indexOnce(options: OpenOptions): Promise<number> {
  const engine = await openMadeleine(options)
  try {
    const { problems } = await engine.index()
    return problems.some(({ failed }) => failed) ? 3 : 0
  } finally {
    await engine.close()
  }
}

/** Payloads recorded from a real host, one a line. */
export function recorded<T>(version: string, hook: string): Array<{ event: T; ctx: Record<string, unknown> }> {
  const file = new URL(`../../src/host/openclaw/fixtures/hooks-${version}/${hook}.jsonl`, import.meta.url)
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}
