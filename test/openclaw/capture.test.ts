import { spawnSync } from 'node:child_process'
import { appendFileSync, cpSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startIndexProcess } from '../../src/host/openclaw/background-index.ts'
import { openMadeleine } from '../../src/index.ts'
import { agent, head, printed, user } from '../promises/workspace.ts'
import { recorded, useAgentHome } from './agent-home.ts'

const home = useAgentHome()
const transcript = (version: string) => new URL(`../../src/source/fixtures/openclaw-${version}.jsonl`, import.meta.url)

async function searchAll(query: string, options: { full?: boolean } = {}) {
  const sessions = join(home.stateDir, 'agents', 'main', 'sessions')
  const engine = await openMadeleine({
    workspaces: [{ path: home.workspace(), agent: 'main' }],
    transcripts: [sessions],
    store: home.storeFile,
    embedding: 'none',
    timeZone: 'UTC',
  })
  try {
    const report = options.full ? await engine.index({ full: true }) : undefined
    const { results } = await engine.search(query, { limit: 100, mode: 'keyword' })
    return { results, report, status: await engine.status() }
  } finally {
    await engine.close()
  }
}

describe('what OpenClaw says is taken in', () => {
  it('when a turn has ended, once, with the ids that any other reading of the transcript gives', async () => {
    home.note('MEMORY.md', '# Mine')
    home.session('s', [head('s'), user('The otter gate code word is MARROW.')])
    const host = home.start()
    await host.fire('agent_end', {}, {})
    await host.services[0]?.stop()
    const file = join(home.stateDir, 'agents', 'main', 'sessions', 's.jsonl')
    const added = [agent('Noted: MARROW.'), printed('exec', 'gate log: MARROW accepted at 10:02')]
    appendFileSync(file, added.map((record) => `${JSON.stringify(record)}\n`).join(''))
    await host.fire('agent_end', {}, {})
    await host.services[0]?.stop()
    const live = await searchAll('MARROW')
    expect(live.results.map(({ role }) => role).toSorted()).toEqual(['assistant', 'tool', 'user'])
    const again = await searchAll('MARROW', { full: true })
    expect(again.results.map(({ id, turnId }) => [id, turnId]).toSorted()).toEqual(
      live.results.map(({ id, turnId }) => [id, turnId]).toSorted(),
    )
  })

  it('by one run at a time, and by one more for all that was asked meanwhile', async () => {
    home.note('MEMORY.md', '# Mine')
    const host = home.start()
    await Promise.all([1, 2, 3, 4].map(() => host.fire('agent_end', {}, {})))
    expect(home.runs).toHaveLength(1)
    while (home.runs.length < 2) await new Promise((resolve) => setTimeout(resolve, 5))
    await host.services[0]?.stop()
    expect(home.runs).toHaveLength(2)
  })

  it('not at all where it is turned off', async () => {
    const host = home.start({ pluginConfig: { store: home.storeFile, embedding: 'none', indexAfterTurn: false } })
    await host.fire('agent_end', {}, {})
    await host.services[0]?.start()
    expect(home.runs).toEqual([])
  })

  it('without the block that was put before a turn, which older hosts keep in the transcript', async () => {
    home.note('memory/mill.md', 'The heron pump in the mill runs on 24 volts.')
    await home.index()
    const host = home.start({ generation: 'classic' })
    const context = { agentId: 'main', sessionId: 's', trigger: 'user', workspaceDir: home.workspace() }
    const prompt = 'What voltage does the heron pump in the mill need?'
    const [answer] = await host.fire('before_prompt_build', { prompt, messages: [] }, context)
    const { prependContext } = answer as { prependContext: string }
    expect(prependContext).toMatch(/24 volts/)
    home.session('s', [head('s'), user(`${prependContext}\n\n${prompt}`), agent('It is noted.')])
    await host.fire('agent_end', {}, {})
    await host.services[0]?.stop()
    const { results } = await searchAll('heron pump volts')
    expect(results.filter(({ snippet }) => snippet.includes('24 volts')).map(({ path }) => path)).toEqual([
      'memory/mill.md',
    ])
    expect(results.some(({ snippet }) => snippet.includes('recalled-context'))).toBe(false)
  })

  it.each(['2026.9.6', '2026.4.2'])(
    'with every tool result that a hook of OpenClaw %s reports: its transcript holds them all',
    (version) => {
      const text = readFileSync(transcript(version), 'utf8')
      const results = recorded<{ toolName: string; result?: { content?: Array<{ text: string }> } }>(
        version,
        'after_tool_call',
      )
      const printedTexts = results.flatMap(({ event }) => event.result?.content?.map((part) => part.text) ?? [])
      expect(printedTexts.length).toBeGreaterThan(0)
      const lines = printedTexts.flatMap((printedText) => printedText.split('\n')).filter((line) => /LESSON/.test(line))
      expect(lines.length).toBeGreaterThan(0)
      for (const line of lines) expect(text).toContain(line)
    },
  )

  it('by a process of its own, which ends by itself and says how', async () => {
    home.note('memory/mill.md', 'The heron pump in the mill runs on 24 volts.')
    mkdirSync(join(home.stateDir, 'agents', 'main', 'sessions'), { recursive: true })
    cpSync(transcript('2026.9.6'), join(home.stateDir, 'agents', 'main', 'sessions', 'real.jsonl'))
    const options = {
      workspaces: [{ path: home.workspace(), agent: 'main' }],
      transcripts: [join(home.stateDir, 'agents', 'main', 'sessions')],
      store: home.storeFile,
      embedding: 'none',
    }
    expect(await startIndexProcess(options).ended).toBe(0)
    const { results } = await searchAll('pgvector shared_preload_libraries')
    expect(results.some(({ tool }) => tool === 'exec')).toBe(true)
    expect(await startIndexProcess({ ...options, transcripts: ['/no/such/folder'] }).ended).toBe(3)
    expect(await startIndexProcess({ ...options, embedding: 'word2vec' }).ended).toBe(2)
  })
})

describe('the folders that the host installs', () => {
  it.each(['openclaw', 'openclaw-memory'])(
    'plugins/%s finds the package around it, and as a dependency when copied, and else says what to do',
    (name) => {
      const source = new URL(`../../plugins/${name}/`, import.meta.url)
      const adapter =
        'export const createPluginEntry = (mode) => ({ register: (api) => api.note([mode, import.meta.url].join(" ")) })\n'
      const around = join(home.stateDir, 'package')
      const copied = join(home.stateDir, 'copied')
      const added = join(home.stateDir, 'added')
      const alone = join(home.stateDir, 'alone')
      cpSync(source, join(around, 'plugins', name), { recursive: true })
      cpSync(source, copied, { recursive: true })
      cpSync(source, added, { recursive: true })
      cpSync(source, alone, { recursive: true })
      home.note('../package/package.json', JSON.stringify({ name: 'madeleine', type: 'module' }))
      home.note('../package/dist/host/openclaw/index.js', adapter)
      const exports = { './openclaw': './openclaw.js' }
      for (const [folder, dependency] of Object.entries({ copied: 'madeleine-engine', added: 'madeleine' })) {
        const manifest = JSON.stringify({ name: 'madeleine', type: 'module', exports })
        home.note(`../${folder}/node_modules/${dependency}/package.json`, manifest)
        home.note(`../${folder}/node_modules/${dependency}/openclaw.js`, adapter)
      }
      const load = (folder: string) => {
        const script = `const { default: plugin } = await import(${JSON.stringify(join(folder, 'index.js'))})
        try { plugin.register({ note: (text) => console.log(plugin.id, text) }) } catch (error) { console.log(error.message) }`
        return spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }).stdout.trim()
      }
      const declared = JSON.parse(readFileSync(new URL('package.json', source), 'utf8'))
      expect(Object.keys(declared.optionalDependencies)).toEqual(['madeleine-engine'])
      const [id, mode] = name === 'openclaw' ? ['madeleine', 'companion'] : ['madeleine-memory', 'owner']
      expect(load(join(around, 'plugins', name))).toMatch(
        new RegExp(`^${id} ${mode} file:.*/package/dist/host/openclaw/index.js$`),
      )
      for (const [folder, dependency] of [
        [copied, 'madeleine-engine'],
        [added, 'madeleine'],
      ] as const) {
        expect(load(folder)).toMatch(new RegExp(`^${id} ${mode} file:.*/node_modules/${dependency}/openclaw.js$`))
      }
      expect(load(alone)).toMatch(/"madeleine" is not installed.*npm install madeleine/)
    },
  )
})
