import { describe, expect, it } from 'vitest'
import { createInMemoryStore } from '../store/memory/in-memory-store.ts'
import { makeWrite, OWNER } from '../testing/memory-store/samples.ts'
import { chooseNamed, findNamed } from './find-named.ts'

async function find(name: string) {
  const store = createInMemoryStore()
  await store.putDocuments([
    makeWrite('a/Roadmap.md', [
      { id: 'first', text: 'North first.', headerPath: ['Roadmap'] },
      { id: 'spring', text: 'In spring the quay.', headerPath: ['Roadmap', 'Spring'] },
    ]),
    makeWrite('b/plans.md', [{ id: 'later', text: 'South later.', headerPath: ['Plans', 'Roadmap'] }]),
    makeWrite('Cafe\u0301 list.md', [{ id: 'beans', text: 'Beans.', headerPath: [] }]),
    makeWrite('c/sections.md', [
      { id: 'one', text: 'One.', headerPath: ['Sections', 'One'] },
      { id: 'two', text: 'Two.', headerPath: ['Sections', 'Two'] },
    ]),
  ])
  return (await findNamed({ store, sources: [] }, name, OWNER)).map(({ id }) => id)
}

describe('findNamed', () => {
  it.each([
    ['an id', 'spring', ['spring']],
    ['a path', 'a/Roadmap.md', ['first', 'spring']],
    ['the heading of sections, in every document that has it', 'roadmap', ['first', 'later']],
    ['headings in a row', 'Roadmap > Spring', ['spring']],
    ['a file name, however its letters are composed', 'CAF\u00c9  list', ['beans']],
    ['a path without ending', 'b/plans', ['later']],
    ['the title of a document whose sections have others', 'Sections', ['one', 'two']],
    ['nothing by a part of a name', 'Road', []],
    ['nothing by a longer name', 'Roadmap of the quay', []],
    ['nothing by no name', '  ', []],
  ])('finds %s', async (_, name, ids) => {
    expect(await find(name)).toEqual(ids)
  })
})

describe('lines of a document', () => {
  it('are those of its memories that they touch', async () => {
    expect(await find('a/Roadmap.md:2-9')).toEqual(['spring'])
    expect(await find('a/Roadmap.md:1-2')).toEqual(['first', 'spring'])
  })

  it('are refused where no document has them, and only there', async () => {
    for (const lines of ['12-5', '2-1', '0', '0-3']) {
      await expect(find(`a/Roadmap.md:${lines}`), lines).rejects.toMatchObject({
        code: 'INVALID_OPTION',
        remedy: expect.stringContaining('path:12-20'),
      })
    }
    expect(await find('no/such.md:12-5')).toEqual([])
  })
})

describe('chooseNamed', () => {
  const named = (id: string) => {
    const lines = { startLine: 3, endLine: 5 }
    return { id, path: `${id}.md`, ...lines, text: '', tier: 'semantic' as const, header: 'Plans' }
  }

  it('takes the only one, and says what there is to choose from otherwise', () => {
    expect(chooseNamed('link', 'x', [named('a')]).id).toBe('a')
    expect(() => chooseNamed('link', 'x', [])).toThrow(/Cannot link "x": no memory has this id, path or title/)
    const many = Array.from({ length: 12 }, (_, n) => named(`n${n}`))
    expect(() => chooseNamed('link', 'x', many)).toThrow(/12 memories have this name/)
    try {
      chooseNamed('link', 'x', many)
    } catch (error) {
      expect(error).toMatchObject({ remedy: expect.stringMatching(/n0 {2}n0\.md:3-5 {2}Plans\n[\s\S]*and 4 more$/) })
    }
  })
})
