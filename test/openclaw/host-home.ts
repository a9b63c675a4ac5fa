import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'

export interface HostHomeOptions {
  node: string
  host: string
  modelUrl: string
  plugin: { id: string; folder: string; isOwner: boolean; config?: object }
  /** Newer hosts let a plugin see conversations only when the user says so; older ones refuse a configuration that says it. */
  asksForConsent: boolean
}

/** A home of its own for a host: state, workspace and memory; nothing of the user's is touched. */
export interface HostHome {
  readonly folder: string
  readonly workspace: string
  readonly storeFile: string
  /** Runs the host's command line; resolves with what it printed. Rejects when it fails. */
  run(args: readonly string[]): Promise<string>
  /** Begins a session beside those that were: older hosts go on with an agent's session whatever id they are given. */
  beginSession(): void
  /** One turn of a session without a gateway. */
  say(sessionId: string, message: string): Promise<string>
  remove(): void
}

/** How long a command of the host may take, ms: a turn takes 15 to 40 s, minutes on a busy machine. */
const COMMAND_MS = 900_000

export function createHostHome({ node, host, modelUrl, plugin, asksForConsent }: HostHomeOptions): HostHome {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'madeleine-host-home-')))
  const workspace = join(folder, 'workspace')
  const storeFile = join(folder, 'memory', 'store.sqlite')
  mkdirSync(join(folder, 'state'), { recursive: true })
  mkdirSync(workspace)
  const settings = { store: storeFile, timeZone: 'UTC', ...plugin.config }
  const config = hostConfig({ workspace, modelUrl, asksForConsent, plugin: { ...plugin, config: settings } })
  writeFileSync(join(folder, 'state', 'openclaw.json'), JSON.stringify(config, null, 2))
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    XDG_DATA_HOME: join(folder, 'data'),
    // The model prepared once serves all runs.
    XDG_CACHE_HOME: process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'),
    OPENCLAW_STATE_DIR: join(folder, 'state'),
    OPENCLAW_CONFIG_PATH: join(folder, 'state', 'openclaw.json'),
    NO_COLOR: '1',
    TZ: 'UTC',
  }
  const run = (args: readonly string[]): Promise<string> =>
    new Promise((resolve, reject) => {
      const child = spawn('nice', ['-n', '10', node, host, ...args], { env, cwd: folder, timeout: COMMAND_MS })
      let out = ''
      let log = ''
      child.stdout.on('data', (data) => {
        out += data
      })
      child.stderr.on('data', (data) => {
        log += data
      })
      child.on('error', reject)
      child.on('close', (code, signal) => {
        writeFileSync(join(folder, 'last.log'), `${args.join(' ')}\n--- out\n${out}\n--- log\n${log}\n`)
        if (code === 0) resolve(out + log)
        else
          reject(
            new Error(
              `openclaw ${args.join(' ')} ended with ${code ?? signal}\n${out.slice(-2000)}\n${log.slice(-4000)}`,
            ),
          )
      })
    })
  return {
    folder,
    workspace,
    storeFile,
    run,
    beginSession: () => rmSync(join(folder, 'state', 'agents', 'main', 'sessions', 'sessions.json'), { force: true }),
    say: (sessionId, message) =>
      run(['agent', '--local', '--agent', 'main', '--session-id', sessionId, '--message', message, '--json']),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function hostConfig({
  workspace,
  modelUrl,
  asksForConsent,
  plugin: { id, folder, isOwner, config },
}: Pick<HostHomeOptions, 'modelUrl' | 'plugin' | 'asksForConsent'> & { workspace: string }): object {
  const model = { id: 'mock-1', name: 'Mock', contextWindow: 128_000, maxTokens: 4096 }
  return {
    agents: { defaults: { workspace, model: { primary: 'mock/mock-1' } } },
    models: {
      providers: { mock: { baseUrl: modelUrl, apiKey: 'none', api: 'openai-completions', models: [model] } },
    },
    plugins: {
      ...(isOwner && { slots: { memory: id } }),
      load: { paths: [folder] },
      entries: {
        [id]: { enabled: true, config, ...(asksForConsent && { hooks: { allowConversationAccess: true } }) },
        // The host's own memory would offer tools of the same names.
        ...(isOwner && { 'memory-core': { enabled: false } }),
      },
    },
  }
}
