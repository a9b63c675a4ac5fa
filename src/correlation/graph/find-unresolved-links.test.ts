import { describe, expect, it } from 'vitest'
import { describeStores, openEmptyStore } from '../../../test/stores.ts'
import type { MemoryStore } from '../../store/memory-store.ts'
import { makeWrite, OWNER, type Sample } from '../../testing/memory-store/samples.ts'
import { readLinks } from '../read-links.ts'
import { findUnresolvedLinks } from './find-unresolved-links.ts'

/** A store of documents by path, each of one memory. */
async function storeOf(documents: Record<string, string | Sample>): Promise<MemoryStore> {
  const store = await openEmptyStore()
  await store.putDocuments(Object.entries(documents).map(([path, sample]) => makeWrite(path, [sample])))
  return store
}

async function unresolvedOf(store: MemoryStore, path: string, filter = OWNER): Promise<string[]> {
  const memories = (await store.listDocumentMemories({ path }, filter)).map(({ memory }) => memory)
  const found = await findUnresolvedLinks(store, memories, filter)
  return found.map(({ target, candidates }) => `${target} → ${candidates.join(', ')}`)
}

describeStores('links that name no memory, or several', () => {
  it('are shown as they are written, and never joined to what is merely like them', async () => {
    const store = await storeOf({
      'x.md': 'See [[Overview (north dock)]], [[Overview of winches]], [[north]] and [the plan](plans/none.md).',
      'Overview of winches.md': 'All winches.',
      'North.md': 'The north dock.',
    })
    expect(await unresolvedOf(store, 'x.md')).toEqual(['Overview (north dock) → ', 'plans/none.md → '])
  })

  it('name a document by any last parts of its path, whole ones', async () => {
    const store = await storeOf({
      'x.md':
        'See [[runbooks/gauge-swap]], [[gauge-swap.md]], [[memory/runbooks/gauge-swap]] and [[books/gauge-swap]].',
      'memory/runbooks/gauge-swap.md': 'Swap it.',
    })
    expect(await unresolvedOf(store, 'x.md')).toEqual(['books/gauge-swap → '])
  })

  it('mean the one beside them where several have the name; without one beside them all are shown', async () => {
    const store = await storeOf({
      'a/x.md': 'As in [[Roadmap]].',
      'c/y.md': 'As in [[roadmap|the plan]] and [[Roadmap]].',
      'a/Roadmap.md': 'Here.',
      'b/Roadmap.md': 'There.',
    })
    expect(await unresolvedOf(store, 'a/x.md')).toEqual([])
    expect(await unresolvedOf(store, 'c/y.md')).toEqual([
      'roadmap → a/Roadmap.md, b/Roadmap.md',
      'Roadmap → a/Roadmap.md, b/Roadmap.md',
    ])
  })

  it('can name a heading, of another document or of their own', async () => {
    const store = await storeOf({
      'x.md': {
        text: 'See [[Winch care]], [[tools#Greasing]], [[tools#Painting]], [[#Here]] and [[#There]].',
        headerPath: ['Here'],
      },
      'tools.md': { text: 'Grease it.', headerPath: ['Winch care', 'Greasing'] },
    })
    expect(await unresolvedOf(store, 'x.md')).toEqual(['tools#Painting → tools.md', '#There → x.md'])
  })

  it('are found whatever code points spell the name', async () => {
    const store = await storeOf({ 'x.md': 'In [[caf\u00e9]] and [there](cafe%CC%81.md).', 'cafe\u0301.md': 'Coffee.' })
    expect(await unresolvedOf(store, 'x.md')).toEqual([])
  })

  it('follow paths from the file, from the workspace, and by id', async () => {
    const store = await storeOf({
      'a/x.md': '[one](../b/y.md) [two](b/y.md#part) [three](./z.md) [four](../../b/y.md) [[id-of-y]]',
      'b/y.md': { text: 'why', id: 'id-of-y' },
    })
    expect(await unresolvedOf(store, 'a/x.md')).toEqual(['./z.md → ', '../../b/y.md → '])
  })

  it('that name what the asker may not see name nothing', async () => {
    const store = await storeOf({
      'x.md': 'See [[secret plan]] and [[Sealed]].',
      'secret plan.md': { text: 'hush', headerPath: ['Sealed'], scope: { agent: 'other' } },
    })
    const filter = { viewer: { tenant: 'local', agent: 'main' } }
    expect(await unresolvedOf(store, 'x.md', filter)).toEqual(['secret plan → ', 'Sealed → '])
    expect(await unresolvedOf(store, 'x.md')).toEqual([])
  })

  it('are none in code, callouts, checkboxes, timecodes, addresses, pictures and what a tool returned', async () => {
    const text = [
      '> [!info] Tide',
      '- [ ] call the yard',
      '- [/] half done',
      '[00:01:12] speaker: hi',
      '[site](http://x.test) is down, write to [us](mailto:a@x.test)',
      '- [decision] use larch #wood',
      '```js\n[[Not A Link]]\n```',
      '> ~~~\n> [[Nor This]]\n> ~~~',
      '- ```\n  [[In A List]]\n  ```',
      '`[[code]]` and ``[[more`code]]`` <!-- [[comment]] --> \\[[escaped]]',
      '![[photo.png]] [table](data/table.csv) [folder](notes/)',
    ].join('\n')
    const store = await storeOf({
      'x.md': text,
      'tool.md': { text: '[[Shell Test]]', role: 'tool', category: 'sessions' },
      'open.md': 'Before [[Gone]].\n```\n[[In An Open Fence]]',
    })
    expect(await unresolvedOf(store, 'x.md')).toEqual([])
    expect(await unresolvedOf(store, 'tool.md')).toEqual([])
    expect(await unresolvedOf(store, 'open.md')).toEqual(['Gone → '])
  })
})

describe('a written link', () => {
  it('is found where it stands, with what it names', () => {
    const text = 'A [[Note#Part|shown]] and [b](c%20d.md "title").'
    const links = readLinks(text)
    expect(links.map(({ start, end }) => text.slice(start, end))).toEqual([
      '[[Note#Part|shown]]',
      '[b](c%20d.md "title")',
    ])
    expect(links).toMatchObject([
      { kind: 'wikilink', target: 'Note', heading: 'Part' },
      { kind: 'markdown', target: 'c d.md' },
    ])
  })
})
