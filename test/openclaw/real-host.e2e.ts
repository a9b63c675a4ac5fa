import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHostHome, type HostHome } from './host-home.ts'
import { installHost, installNode } from './install-host.ts'
import { type MockModel, startMockModel, textOf } from './mock-model.ts'

/** Runs against real hosts, offline but for their installation; some minutes each. `npm run test:openclaw`. */
const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const VERSIONS = (process.env.MADELEINE_OPENCLAW_VERSIONS ?? '2026.9.6,2026.4.2').split(',')
const FACT = 'Remember this: the heron pump in the mill runs on 24 volts.'
const PRINTED = 'valve tern-7 sits behind panel 9 and needs a 13 mm wrench'

let node = ''
/** The package as npm installs it: built files and plugin folders, in a folder of modules. */
let installed = ''

beforeAll(() => {
  node = installNode()
  const modules = join(mkdtempSync(join(tmpdir(), 'madeleine-installed-')), 'node_modules')
  installed = join(modules, 'madeleine')
  mkdirSync(installed, { recursive: true })
  for (const part of ['dist', 'plugins', 'package.json'])
    cpSync(join(root, part), join(installed, part), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(installed, 'node_modules'))
})
afterAll(() => rmSync(dirname(dirname(installed)), { recursive: true, force: true }))

/** Waits until the runs of the indexer have taken in what was said: they outlive the host. */
async function untilIndexed(home: HostHome, words: string): Promise<void> {
  for (let tries = 0; tries < 60; tries += 1) {
    if ((await countHits(home, words)) > 0) return
    await sleep(2000)
  }
  throw new Error(`"${words}" was not indexed: ${readFileSync(join(home.folder, 'last.log'), 'utf8').slice(-3000)}`)
}

/** How many memories hold all the words of a phrase, asked of the store behind the host's back. */
async function countHits(home: HostHome, phrase: string): Promise<number> {
  const { openMadeleine } = await import('../../src/index.ts')
  const engine = await openMadeleine({ store: home.storeFile, embedding: 'none' })
  try {
    const { results } = await engine.search(phrase, { limit: 100, mode: 'keyword', allProjects: true })
    return results.filter(({ snippet }) => snippet.includes(phrase)).length
  } finally {
    await engine.close()
  }
}

describe.each(VERSIONS)('OpenClaw %s', (version) => {
  const isClassic = version < '2026.8'
  const plugins = {
    companion: { id: 'madeleine', folder: 'openclaw', isOwner: false },
    owner: { id: 'madeleine-memory', folder: 'openclaw-memory', isOwner: true },
  } as const
  let model: MockModel
  let host = ''
  const homes: HostHome[] = []

  beforeAll(async () => {
    host = installHost(version)
    model = await startMockModel()
  })
  afterAll(async () => {
    await model.close()
    if (process.env.MADELEINE_KEEP_HOMES === undefined) for (const home of homes) home.remove()
  })

  function start(mode: keyof typeof plugins): HostHome {
    const { folder, ...plugin } = plugins[mode]
    const home = createHostHome({
      node,
      host,
      modelUrl: model.baseUrl,
      asksForConsent: !isClassic,
      // A busy machine must not make a recall silent.
      plugin: { ...plugin, folder: join(installed, 'plugins', folder), config: { recall: { deadlineMs: 10_000 } } },
    })
    homes.push(home)
    return home
  }

  /** The user's last message as the model got it. */
  async function turn(home: HostHome, session: string, message: string): Promise<string> {
    const before = model.requests.length
    await home.say(session, message)
    expect(model.requests.length).toBeGreaterThan(before)
    const texts = (model.requests.at(-1) ?? [])
      .filter(({ role }) => role === 'user')
      .map(({ content }) => textOf(content))
    return texts.findLast((text) => text.includes(message)) ?? ''
  }

  it('as companion: what was said, and what only a tool printed, surfaces in later sessions, and nothing else does', async () => {
    const home = start('companion')
    await turn(home, 'one', FACT)
    await turn(home, 'one', `RUN: printf 'valve %s sits behind panel 9 and needs a 13 mm wrench' tern-7`)
    await untilIndexed(home, PRINTED)
    home.beginSession()
    expect(await turn(home, 'two', 'What voltage does the heron pump in the mill need?')).toMatch(
      /<recalled-context>[\s\S]*24 volts[\s\S]*<\/recalled-context>/,
    )
    home.beginSession()
    expect(await turn(home, 'three', 'Which wrench do I need for valve tern-7?')).toMatch(
      /<recalled-context>[\s\S]*tern-7 sits behind panel 9 and needs a 13 mm wrench[\s\S]*<\/recalled-context>/,
    )
    expect(await turn(home, 'three', 'ok thanks')).not.toContain('<recalled-context>')
    home.beginSession()
    expect(await turn(home, 'four', 'Translate "good evening" into Finnish.')).not.toContain('<recalled-context>')
    await untilIndexed(home, 'into Finnish')
    expect(await countHits(home, 'recalled-context')).toBe(0)
    expect(await countHits(home, '24 volts')).toBe(1)
    expect(await countHits(home, PRINTED)).toBe(1)
    const listed = await home.run(['plugins', 'inspect', 'madeleine', '--json'])
    expect(listed).not.toMatch(/conflict|"status": "error"/)
  })

  it('as owner of the memory slot: loads without conflicts, and recalls', async () => {
    const home = start('owner')
    const noted = await turn(home, 'one', FACT)
    expect(noted).not.toContain('<recalled-context>')
    await untilIndexed(home, '24 volts')
    home.beginSession()
    expect(await turn(home, 'two', 'What voltage does the heron pump in the mill need?')).toMatch(
      /<recalled-context>[\s\S]*24 volts/,
    )
    const system = textOf(
      (model.requests.at(-1) ?? []).find(({ role }) => role === 'system' || role === 'developer')?.content,
    )
    expect(system).toContain('## Memory Recall')
    const log = readFileSync(join(home.folder, 'last.log'), 'utf8')
    expect(log).not.toMatch(/tool name conflict|failed during load|unknown typed hook/)
    const found = await home.run(['madeleine', 'search', 'heron pump', '--json'])
    expect(found).toMatch(/24 volts/)
  })
})
