import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { GRAPH_FORMATS } from '../../src/index.ts'
import { runCommand } from '../run-command.ts'
import { describeOverStores, NOW, useWorkspace } from './workspace.ts'

const here = useWorkspace()

/** Runs a command line over the workspace as a script would, within this process. */
function runText(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const common = ['--workspace', here.notes, '--store', here.store, '--now', NOW, '--tz', 'UTC']
  return runCommand([...args, ...common], { env, home: here.home })
}

async function run(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const { code, out, err } = await runText([...args, '--json'], env)
  return { code, err, document: out === '' ? null : JSON.parse(out) }
}

/** The id of the one memory of a note. */
async function idOf(path: string): Promise<string> {
  const memory = await here.open()
  const [only] = await memory.listMemories(path)
  await memory.close()
  return only?.id ?? ''
}

async function fillQuay(): Promise<{ winch: string; fuse: string }> {
  here.note('memory/winch.md', '# Winch stop\n\nThe kite winch stopped at noon.\n')
  here.note('memory/fuse.md', '# Blown fuse\n\nThe fuse of the quay was blown by the crane.\n')
  await run(['index'])
  return { winch: await idOf('memory/winch.md'), fuse: await idOf('memory/fuse.md') }
}

const link = (source: string, target: string, ...more: string[]) => run(['link', source, target, ...more])

describeOverStores(here, 'stating a relationship', () => {
  it('takes ids, paths, lines and exact titles; once or twice, it is one; unlink takes it back', async () => {
    const { winch, fuse } = await fillQuay()
    const stated = ['--relationship', 'causal', '--score', '0.9', '--metadata', '{"said":"by the electrician"}']
    for (const [source, target] of [
      [fuse, winch],
      ['memory/fuse.md', 'memory/winch.md:3'],
      ['blown  FUSE', 'winch'],
    ] as const) {
      const { code, document } = await link(source, target, ...stated)
      expect(code).toBe(0)
      expect(document.relationship).toMatchObject({
        sourceId: fuse,
        targetId: winch,
        relationshipType: 'causal',
        score: 0.9,
        origin: 'explicit',
        metadata: { said: 'by the electrician' },
      })
    }
    const { document: seen } = await run(['correlate', winch, '--min-score', '0.8'])
    expect(seen).toMatchObject({ memoryId: winch, totalFound: 1 })
    expect(seen.correlations).toMatchObject([{ targetId: fuse, direction: 'in', origin: 'explicit' }])
    expect((await run(['graph', winch, '--depth', '1'])).document.edges).toHaveLength(1)
    expect((await run(['unlink', fuse, winch])).document).toEqual({ removed: 1 })
    expect((await run(['graph', winch])).document.orphans).toEqual([winch])
    expect((await run(['unlink', fuse, winch])).code).toBe(2)
  })

  it('can be taken back when an end is gone, which doctor names, by who may see it', async () => {
    for (const name of ['id', 'path'] as const) {
      const { winch, fuse } = await fillQuay()
      await link(fuse, winch, '--relationship', 'causal')
      rmSync(join(here.notes, 'memory/winch.md'))
      await run(['index'])
      const findingOf = async () =>
        (await run(['doctor'])).document.findings.find(({ id }: { id: string }) => id === 'relationships-dangling')
      expect((await findingOf()).message).toContain(`${fuse} causal ${winch}`)
      const gone = name === 'id' ? winch : 'memory/winch.md'
      expect((await run(['unlink', fuse, gone, '--relationship', 'supports'])).code).toBe(2)
      expect((await run(['unlink', fuse, gone, '--agent', 'stranger'])).code).toBe(2)
      expect((await run(['unlink', fuse, gone])).document).toEqual({ removed: 1 })
      expect(await findingOf()).toBeUndefined()
    }
  })

  it('takes the type that the texts show where none is given', async () => {
    here.note('memory/crane.md', '# Crane\n\nSee memory/fuse.md before the crane is used.\n')
    const { fuse } = await fillQuay()
    const { code, document } = await link('memory/crane.md', fuse)
    expect([code, document.relationship]).toMatchObject([
      0,
      { relationshipType: 'references', reason: 'names its file', origin: 'explicit' },
    ])
  })

  it('is refused whole where an end is unknown or a value is wrong, and writes nothing', async () => {
    const { winch, fuse } = await fillQuay()
    const good = ['--relationship', 'supports']
    for (const args of [
      ['ghost-1', 'ghost-2', ...good],
      [fuse, 'Winch', '--relationship', 'likes'],
      [fuse, winch, '--relationship', 'supports', '--score', '1.7'],
      [fuse, winch, ...good, '--metadata', '[1]'],
      [fuse, winch, ...good, '--metadata', '{broken'],
      [fuse, fuse, ...good],
      [fuse, winch],
      [fuse],
    ]) {
      const { code, document, err } = await run(['link', ...args])
      expect([args, code, document]).toEqual([args, 2, null])
      expect(JSON.parse(err).error).toMatchObject({ code: /^(?:INVALID_OPTION|NOT_FOUND)$/, remedy: /\S/ })
    }
    expect((await run(['graph', fuse, winch])).document.edges).toEqual([])
  })

  it('is never joined to what merely has a similar name, and asks where two have the same', async () => {
    here.note('a/Roadmap.md', '# Roadmap\n\nThe north quay first.\n')
    here.note('b/Roadmap.md', '# Roadmap\n\nThe south quay first.\n')
    here.note('a/x.md', '# Plans\n\nSee [[Roadmap]] and [[Overview (north dock)]].\n')
    here.note('c/Overview of winches.md', '# Overview of winches\n\nAll of them.\n')
    await run(['index'])
    const { code, err } = await link('a/x.md', 'Roadmap', '--relationship', 'references')
    const { code: kind, message, remedy } = JSON.parse(err).error
    expect([code, kind, message]).toEqual([2, 'INVALID_OPTION', expect.stringContaining('2 memories have this name')])
    for (const path of ['a/Roadmap.md', 'b/Roadmap.md']) {
      expect(remedy).toContain(path)
      expect(remedy).toContain(await idOf(path))
    }
    expect((await link('a/x.md', 'Overview', '--relationship', 'references')).code).toBe(2)
    const { document } = await run(['graph', '--unresolved'])
    expect(document.unresolved).toMatchObject([{ path: 'a/x.md', target: 'Overview (north dock)', candidates: [] }])
  })

  it('reads and writes nothing outside, whatever stands for a name', async () => {
    const { winch } = await fillQuay()
    const outside = join(here.home, 'outside.md')
    writeFileSync(outside, '# Outside\n\nThe password is plum.\n')
    for (const name of [
      '../outside.md',
      outside,
      'memory/../../outside.md',
      'memory/%2e%2e/outside.md',
      '..\\outside.md',
      'memory/a\u0000.md',
      '../evil',
      '__proto__',
      '\u001b[31mred',
    ]) {
      for (const args of [
        ['correlate', name],
        ['link', winch, name, '--relationship', 'supports'],
        ['link', name, winch, '--relationship', 'supports'],
        ['unlink', winch, name],
        ['graph', name],
      ]) {
        const { code, out, err } = await runText(args)
        expect([args, code, out]).toEqual([args, 2, ''])
        expect(err).not.toContain('plum')
        expect(err).not.toContain('\u001b[31m')
      }
    }
    expect(readFileSync(outside, 'utf8')).toBe('# Outside\n\nThe password is plum.\n')
  })

  it('tells one agent nothing of the memories of another', async () => {
    const ada = await here.open({ agentId: 'ada' })
    await ada.remember('The safe opens with MARL-7781.', { id: 'ada-safe' })
    await ada.close()
    const bo = await here.open({ agentId: 'bo' })
    await bo.remember('The safe stands in the cellar.', { id: 'bo-safe' })
    await bo.close()
    await link('ada-safe', 'bo-safe', '--relationship', 'references')
    const asBo = ['--agent', 'bo']
    const said = [
      await runText(['correlate', 'bo-safe', '--min-score', '0', '--explain', ...asBo]),
      await runText(['graph', ...asBo]),
      await runText(['graph', 'bo-safe', '--report', ...asBo]),
      await run(['graph', 'bo-safe', ...asBo]),
      await run(['review', 'list', '--status', 'all', ...asBo]),
      await run(['search', 'safe', '--expand', ...asBo]),
    ]
    expect(JSON.stringify(said)).not.toMatch(/MARL-7781|ada-safe/)
    const [hidden, unknown] = await Promise.all(
      ['ada-safe', 'no-such'].map((name) => run(['link', 'bo-safe', name, '--relationship', 'supports', ...asBo])),
    )
    expect(hidden?.err.replaceAll('ada-safe', '?')).toBe(unknown?.err.replaceAll('no-such', '?'))
    const owner = await run(['correlate', 'bo-safe', '--min-score', '0.9'])
    expect(owner.document.correlations).toMatchObject([{ targetId: 'ada-safe' }])
  })
})

describeOverStores(here, 'the graph', () => {
  it('is written in every format, each whole', async () => {
    const { winch, fuse } = await fillQuay()
    await link(fuse, winch, '--relationship', 'causal')
    const shapes = {
      json: /"edges": \[\s*\{/,
      graphology: /"attributes"/,
      graphml: /<\/graphml>\s*$/,
      mermaid: /^flowchart LR\n[\s\S]*causal/,
      dot: /^digraph[\s\S]*\}\s*$/,
    }
    for (const format of GRAPH_FORMATS) {
      const { code, out } = await runText(['graph', winch, '--format', format])
      expect([format, code]).toEqual([format, 0])
      expect(out).toMatch(shapes[format])
    }
    expect((await run(['graph', '--format', 'mermaid'])).code).toBe(2)
    expect((await run(['graph', '--files', '--report'])).code).toBe(2)
    const { document } = await run(['graph', winch, '--report'])
    expect(document.report).toMatch(/^# [\s\S]*memory\/fuse\.md[\s\S]*causal \| 1\.00/)
  })

  it('is a tree for people, with what it begins with first', async () => {
    const { winch, fuse } = await fillQuay()
    await link(fuse, winch, '--relationship', 'causal')
    const { out } = await runText(['graph', winch])
    expect(out).toMatch(/^memory\/winch\.md:1-3 {2}Winch stop {2}\w+\n└─ 1\.00 ← causal {2}memory\/fuse\.md:1-3/)
    expect(out).toMatch(/2 memories, 1 relationship\n/)
  })
})

describeOverStores(here, 'contradictions', () => {
  it('wait for a person, whose word is kept; no memory and no file is changed by them', async () => {
    const notes = ['memory/boiler.md', 'memory/boiler-2.md'].map((path, index) =>
      here.note(path, `# Boiler\n\nThe boiler limit is ${index + 2} bar.\n`),
    )
    const before = notes.map((file) => readFileSync(file, 'utf8'))
    await run(['index'])
    await run(['links', 'discover', '--all'])
    const [item] = (await run(['review'])).document.items
    expect(item).toMatchObject({ status: 'open', a: { path: /boiler/ }, b: { path: /boiler/ } })
    expect((await runText(['review'])).out).toMatch(/bar[\s\S]*bar/)
    const { document } = await run(['review', 'confirm', item.id, '--by', 'Mara', '--note', '3 bar holds'])
    expect(document.item).toMatchObject({
      status: 'confirmed',
      enforced: true,
      history: [{ decision: 'confirmed', by: 'Mara', note: '3 bar holds' }],
    })
    expect((await runText(['review', 'list', '--status', 'all'])).out).toContain('1 reviewer stands by it.')
    expect((await run(['review'])).document.items).toEqual([])
    await run(['review', 'dismiss', item.id])
    const [decided] = (await run(['review', 'list', '--status', 'all'])).document.items
    expect(decided.history).toMatchObject([{ by: 'Mara' }, { decision: 'dismissed', by: 'vera' }])
    expect((await run(['search', 'boiler limit'])).document.results).toHaveLength(2)
    expect(notes.map((file) => readFileSync(file, 'utf8'))).toEqual(before)
    for (const args of [['confirm'], ['confirm', 'no-such'], ['list', item.id], ['approve', item.id]]) {
      expect([args, (await run(['review', ...args])).code]).toEqual([args, 2])
    }
  })
})

describe('an option that would change nothing', () => {
  it.each([
    [['review', 'dismiss', 'x', '--status', 'open'], /--status/],
    [['review', 'confirm', 'x', '--status', 'open', '--limit', '3'], /--status and --limit/],
    [['review', 'list', '--by', 'Mara', '--note', 'so'], /--by and --note/],
    [['graph', '--files', '--depth', '1', '--min-score', '0.5'], /--depth and --min-score/],
    [['graph', '--unresolved', '--tier', 'semantic', '--predict'], /--tier and --predict/],
    [['heartbeat', '--last', '--related'], /at once/],
    [['heartbeat', '--verbosity', 'debug', '--json'], /--verbosity/],
    [['search', 'winch', '--profile', 'seed', '--mode', 'vector'], /--mode/],
    [['warm', '--stop', '--once'], /--once/],
    [['init', '--unwire', 'cursor', '--force'], /--force/],
    [['correlate', 'memory/winch.md:12-5'], /lines 12 to 5/],
    [['link', 'memory/winch.md:3-1', 'memory/fuse.md', '--relationship', 'causal'], /lines 3 to 1/],
    [['graph', 'memory/winch.md:3-1'], /lines 3 to 1/],
  ])('is refused: %j', async (args, named) => {
    await fillQuay()
    const { code, err } = await runText(args)
    expect([code, err]).toEqual([2, expect.stringMatching(named)])
  })
})

describe('the settings of the correlator', () => {
  it('switch it off, which is no failure, whatever is asked', async () => {
    const { winch } = await fillQuay()
    for (const args of [
      ['link', 'x'],
      ['unlink', 'x', 'y'],
      ['correlate', winch],
      ['graph'],
      ['review'],
      ['links', 'discover'],
    ]) {
      expect([args, await run(args, { CORRELATOR_ENABLED: 'false' })]).toMatchObject([
        args,
        { code: 0, document: { disabled: true }, err: '' },
      ])
    }
    const { out, err } = await runText(['correlate', winch], { CORRELATOR_ENABLED: 'off' })
    expect(`${out}${err}`).toMatch(/switched off by CORRELATOR_ENABLED/)
  })

  it('each change what is seen', async () => {
    const { winch, fuse } = await fillQuay()
    here.note('memory/crane.md', '# Crane\n\nThe crane lifts two tons.\n')
    await run(['index'], { AUTO_DISCOVER_ENABLED: '0' })
    expect((await run(['links', 'discover'])).document.memories).toBe(1)
    await link(fuse, winch, '--relationship', 'supports', '--score', '0.7')
    await link(await idOf('memory/crane.md'), winch, '--relationship', 'supports', '--score', '0.95')
    const found = async (env: NodeJS.ProcessEnv) => (await run(['correlate', winch], env)).document.totalFound
    expect(await found({})).toBe(2)
    expect(await found({ MIN_CORRELATION_SCORE: '0.9' })).toBe(1)
    const edges = async (env: NodeJS.ProcessEnv) =>
      (await run(['graph', winch, '--depth', '1'], env)).document.edges.length
    expect([await edges({}), await edges({ MAX_LINKS_PER_MEMORY: '1' })]).toEqual([2, 1])
  })

  it('are refused by name, value and what is allowed, by every command', async () => {
    const { code, err } = await run(['status'], { MAX_LINKS_PER_MEMORY: 'abc' })
    expect(code).toBe(2)
    expect(JSON.parse(err).error).toMatchObject({
      code: 'INVALID_OPTION',
      message: 'Cannot use "abc" for MAX_LINKS_PER_MEMORY: it is not allowed',
      remedy: expect.stringContaining('from 1 to 10000'),
    })
  })

  it('are shown with where they come from', async () => {
    const { settings } = (await run(['config'], { MIN_CORRELATION_SCORE: '0.9' })).document
    expect(settings['correlation.minScore']).toEqual({
      value: 0.9,
      from: 'environment',
      origin: 'MIN_CORRELATION_SCORE',
    })
    expect(settings['correlation.maxLinks']).toMatchObject({ value: 50, from: 'default' })
  })
})
