import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Madeleine, openMadeleine } from '../../src/index.ts'
import { createFakeProvider } from '../../src/testing/index.ts'
import { describePlaces } from '../stores.ts'
import { NOW } from './workspace.ts'

let home: string
let store: string
const engines: Madeleine[] = []
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'madeleine-scope-')))
})
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close()
  rmSync(home, { recursive: true, force: true })
})

function write(path: string, text: string): void {
  mkdirSync(join(home, path, '..'), { recursive: true })
  writeFileSync(join(home, path), text)
}

async function open(options: Parameters<typeof openMadeleine>[0]): Promise<Madeleine> {
  const engine = await openMadeleine({
    store,
    embedding: createFakeProvider(),
    now: () => new Date(NOW),
    timeZone: 'UTC',
    recall: { deadlineMs: 60_000 },
    ...options,
  })
  engines.push(engine)
  return engine
}

const SECRET = 'QUILL-7781'
const session = (id: string, text: string): string =>
  `${[
    { type: 'session', version: 3, id, timestamp: '2026-06-01T00:00:00Z', cwd: '/no/such' },
    { type: 'message', id: `${id}-1`, timestamp: '2026-06-01T00:00:00Z', message: { role: 'user', content: text } },
  ]
    .map((record) => JSON.stringify(record))
    .join('\n')}\n`

describePlaces('what is private to an agent', (locationOf) => {
  beforeEach(() => {
    store = locationOf()
  })

  it('comes up for no other agent through any call, and for its owner through all', async () => {
    write('workspace-ada/memory/safe.md', `# Safe\n\nThe safe opens with ${SECRET}.\n`)
    write('agents/ada/sessions/s.jsonl', session('ada-1', `The safe code ${SECRET} is from Mara.`))
    write('workspace-bo/memory/safe.md', '# Safe\n\nThe safe stands in the cellar.\n')
    write('agents/bo/sessions/s.jsonl', session('bo-1', 'Where is the safe code?'))
    const sources = {
      workspaces: [join(home, 'workspace-ada'), join(home, 'workspace-bo')],
      transcripts: [join(home, 'agents')],
    }
    const owner = await open(sources)
    await owner.index()
    const { id } = await owner.remember(`The safe code is ${SECRET}.`, { id: 'ada-note', agentId: 'ada' })
    const secretIds = [
      id,
      ...(await owner.search(SECRET, { mode: 'keyword' })).results
        .filter(({ snippet }) => snippet.includes(SECRET))
        .map((hit) => hit.id),
    ]
    expect(secretIds).toHaveLength(4)

    const bo = await open({ ...sources, agentId: 'bo' })
    const seen: unknown[] = []
    for (const query of [SECRET, 'safe code', 'the safe of ada']) {
      for (const mode of ['keyword', 'vector', 'hybrid'] as const)
        seen.push(
          await bo.search(query, { mode, limit: 100, explain: true }),
          await owner.search(query, { mode, agentId: 'bo', limit: 100 }),
        )
      seen.push(
        await bo.search(query, { profile: 'seed', limit: 100 }),
        await bo.search(query, { allProjects: true, limit: 100 }),
      )
      seen.push(
        await bo.recall({ prompt: query, explain: true }),
        await owner.recall({ prompt: query, agentId: 'bo', allProjects: true }),
      )
    }
    const path = join(home, 'workspace-ada/memory/safe.md')
    for (const name of [...secretIds, 'memory/safe.md', path, 'sessions/ada/sessions/s.jsonl']) {
      seen.push(await bo.get(name).catch((error: Error) => error.message.replaceAll(JSON.stringify(name), '…')))
      seen.push(
        await owner
          .get(name, { agentId: 'bo' })
          .catch((error: Error) => error.message.replaceAll(JSON.stringify(name), '…')),
      )
    }
    for (const secretId of secretIds) await expect(bo.forget(secretId)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    seen.push(await bo.status(), await bo.doctor())
    const all = JSON.stringify(seen)
    expect(all).toContain('cellar')
    expect(all).not.toContain(SECRET)
    for (const secretId of secretIds) expect(all).not.toContain(secretId)

    const ada = await open({ ...sources, agentId: 'ada' })
    expect((await ada.search(SECRET, { mode: 'keyword' })).results.length).toBeGreaterThanOrEqual(3)
    expect((await ada.recall({ prompt: `what is ${SECRET}?` })).text).toContain(SECRET)
    for (const secretId of new Set(secretIds)) expect((await ada.get(secretId)).text).toContain(SECRET)
  })

  it('does not count in what others are told of the store, and its files are not named there', async () => {
    write('workspace-ada/memory/safe.md', `# Safe\n\nThe safe opens with ${SECRET}.\n`)
    write('workspace-ada/memory/attic.md', '# Attic\n\nThe attic is dry.\n')
    write('workspace-bo/memory/cellar.md', '# Cellar\n\nThe safe stands in the cellar.\n')
    write('agents/ada/sessions/s.jsonl', `${session('ada-1', 'What is it?')}{broken\n`)
    const sources = {
      workspaces: [join(home, 'workspace-ada'), join(home, 'workspace-bo')],
      transcripts: [join(home, 'agents')],
    }
    const owner = await open(sources)
    await owner.index()
    const whole = await owner.status({ ledger: true })
    expect(whole).toMatchObject({ documents: 4, memories: 4, pending: 0, states: { active: 4 } })
    expect(whole.skipped).toMatchObject([{ path: 'sessions/ada/sessions/s.jsonl' }])
    expect(whole.ledger).toHaveLength(4)

    const bo = await open({ ...sources, agentId: 'bo' })
    for (const told of [await bo.status({ ledger: true }), await owner.status({ agentId: 'bo', ledger: true })]) {
      expect(told).toMatchObject({ documents: 1, memories: 1, pending: 0, states: { active: 1 }, skipped: [] })
      expect(told.roots.map(({ documents }) => documents)).toEqual([0, 1, 0])
      expect(told.ledger?.map(({ path }) => path)).toEqual(['memory/cellar.md'])
    }
    expect(await owner.status({ agentId: 'nobody' })).toMatchObject({ documents: 0, memories: 0 })
  })

  it('is not forgotten through a path that another agent also has', async () => {
    write('workspace-ada/memory/plan.md', '# Plan\n\nAda paints the hull.\n')
    write('workspace-bo/memory/plan.md', '# Plan\n\nBo paints the mast.\n')
    const workspaces = [join(home, 'workspace-ada'), join(home, 'workspace-bo')]
    const owner = await open({ workspaces })
    await owner.index()
    const bo = await open({ workspaces, agentId: 'bo' })
    expect((await bo.get('memory/plan.md')).text).toContain('mast')
    await expect(owner.get('memory/plan.md')).rejects.toMatchObject({
      code: 'INVALID_OPTION',
      remedy: expect.stringContaining('whole path'),
    })
    for (const [name, word] of [
      ['ada', 'hull'],
      ['bo', 'mast'],
    ])
      expect(await owner.get(join(home, `workspace-${name}/memory/plan.md`))).toMatchObject({
        path: 'memory/plan.md',
        text: expect.stringContaining(`paints the ${word}`),
      })
    await bo.forget('memory/plan.md')
    expect((await owner.search('paints')).results.map(({ snippet }) => snippet)).toEqual([
      '# Plan\n\nAda paints the hull.',
    ])
  })

  it('is shared with a team or with all where it says so', async () => {
    const owner = await open({})
    await owner.remember('The team boat is called Petrel.', { agentId: 'ada', visibility: 'team' })
    await owner.remember('The world boat is called Gannet.', { agentId: 'ada', visibility: 'global' })
    await owner.remember('The own boat is called Wren.', { agentId: 'ada' })
    const boats = async (options: Parameters<typeof openMadeleine>[0]): Promise<string[]> => {
      const { results } = await (await open(options)).search('boat', { limit: 20 })
      return results.map(({ snippet }) => snippet.split(' ').at(-1) ?? '').sort()
    }
    expect(await boats({ agentId: 'ada' })).toEqual(['Gannet.', 'Petrel.', 'Wren.'])
    expect(await boats({ agentId: 'bo', team: ['ada', 'bo'] })).toEqual(['Gannet.', 'Petrel.'])
    expect(await boats({ agentId: 'bo', team: ['bo', 'eve'] })).toEqual(['Gannet.'])
    expect(await boats({ agentId: 'eve', team: ['ada', 'bo'] })).toEqual(['Gannet.'])
    expect(await boats({ agentId: 'ad' })).toEqual(['Gannet.'])
    expect(await boats({ agentId: 'ada', tenant: 'other' })).toEqual([])
  })
})

describePlaces('what is an agent’s', (locationOf) => {
  beforeEach(() => {
    store = locationOf()
  })

  it('may be read by others where it is shared, and forgotten by that agent and the owner alone', async () => {
    const owner = await open({})
    const ids: string[] = []
    for (const text of ['The world boat is called Gannet.', 'The world boat is called Petrel.'])
      ids.push((await owner.remember(text, { agentId: 'ada', visibility: 'global' })).id)
    const [gannet = '', petrel = ''] = ids
    expect((await owner.get(gannet, { agentId: 'bo' })).text).toContain('Gannet')
    await expect(owner.forget(gannet, { agentId: 'bo' })).rejects.toMatchObject({
      code: 'INVALID_OPTION',
      message: expect.stringContaining('belongs to agent "ada"'),
    })
    expect(await owner.forget(gannet, { agentId: 'ada' })).toEqual({ forgotten: [gannet] })
    expect(await owner.forget(petrel)).toEqual({ forgotten: [petrel] })
  })

  it('keeps other agents from its id without telling that it is there', async () => {
    const owner = await open({})
    await owner.remember('The safe is green.', { id: 'safe', agentId: 'ada' })
    const refusal = await owner.remember('The safe is blue.', { id: 'safe', agentId: 'bo' }).catch((error) => error)
    expect(refusal).toMatchObject({ code: 'INVALID_OPTION', message: expect.not.stringMatching(/taken|exist/) })
    expect(refusal.remedy).not.toMatch(/forget/)
    await owner.remember('The safe is blue.', { id: 'bo-safe', agentId: 'bo' })
    await expect(owner.remember('The safe is red.', { id: 'safe', agentId: 'ada' })).rejects.toMatchObject({
      code: 'ALREADY_EXISTS',
    })
  })
})

describePlaces('a project', (locationOf) => {
  beforeEach(() => {
    store = locationOf()
  })

  it('is a folder, whatever other names look like its own', async () => {
    const pairs = [
      ['mill-pond', 'mill/pond'],
      ['鱼塘甲', '果园乙'],
      ['a/app', 'b/app'],
      ['Boat', 'boat'],
    ] as const
    for (const [n, pair] of pairs.entries()) {
      for (const [m, name] of pair.entries())
        write(`${name}/memory/n.md`, `# Here\n\nThe word of the place is W${n}${m}X.\n`)
    }
    const workspaces = pairs.flat().map((name) => join(home, name))
    const owner = await open({ workspaces })
    await owner.index()
    for (const [n, pair] of pairs.entries()) {
      for (const [m, name] of pair.entries()) {
        const engine = await open({ workspaces, agentId: 'main', project: join(home, name) })
        const { results } = await engine.search('word of the place', { limit: 50 })
        expect(
          results.map(({ snippet }) => snippet.split(' ').at(-1)),
          name,
        ).toEqual([`W${n}${m}X.`])
        await engine.close()
      }
    }
  })

  it('is found from any folder in it, by any name of that folder', async () => {
    write('repo/.git/HEAD', 'ref: x')
    write('repo/docs/n.md', '# Docs\n\nThe word of the place is HERE.\n')
    write('other/n.md', '# Docs\n\nThe word of the place is THERE.\n')
    mkdirSync(join(home, 'repo/src/deep'), { recursive: true })
    symlinkSync(join(home, 'repo/src'), join(home, 'link'))
    const workspaces = [join(home, 'repo/docs'), join(home, 'other')]
    const owner = await open({ workspaces })
    await owner.index()
    await owner.remember('The word of the place was once OLD.', { agentId: 'main', project: join(home, 'link/deep') })
    for (const project of [
      join(home, 'repo'),
      join(home, 'repo/src/deep'),
      join(home, 'link'),
      join(home, 'repo/docs/'),
    ]) {
      const engine = await open({ workspaces, agentId: 'main', project })
      for (const { results } of [
        await engine.search('word of the place'),
        await owner.search('word of the place', { agentId: 'main', project }),
      ])
        expect(results.map(({ snippet }) => snippet.split(' ').at(-1)).sort(), project).toEqual(['HERE.', 'OLD.'])
      expect(
        (await owner.recall({ prompt: 'what is the word of the place?', agentId: 'main', project })).text,
      ).toContain('HERE')
      await engine.close()
    }
  })
})
