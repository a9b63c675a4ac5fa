import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Madeleine } from '../../src/index.ts'
import { describeOverStores, head, user, useWorkspace } from './workspace.ts'

const here = useWorkspace()

const ORIGINAL =
  'The key to the orchard gate hangs behind the blue door, and the beekeeper returns it on Sunday evening before supper.'
/** The same with marks, other line ends, capitals and punctuation. */
const COPY =
  '- **The key to the Orchard gate** hangs behind the blue door;\n  and the beekeeper returns it\n  on Sunday evening, before supper!'
const OTHER_DAY = ORIGINAL.replace('Sunday', 'Monday')

async function list(memory: Madeleine, words: string): Promise<Array<{ path: string; snippet: string }>> {
  const { results } = await memory.search(words, { mode: 'keyword', limit: 20 })
  return results.map(({ path, snippet }) => ({ path, snippet }))
}

describeOverStores(here, 'a near copy', () => {
  it('is one memory with what it copies, counted as a duplicate, and each document still shows its own wording', async () => {
    here.note('memory/2026-06-01.md', `${ORIGINAL}\n`)
    here.note('memory/2026-06-02.md', `${COPY}\n`)
    const memory = await here.open()
    expect((await memory.index()).memories).toMatchObject({ added: 1, duplicates: 1, total: 1 })
    expect((await list(memory, 'orchard beekeeper')).map(({ path }) => path)).toEqual(['memory/2026-06-01.md'])
    expect((await memory.get('memory/2026-06-01.md')).text).toBe(ORIGINAL)
    expect((await memory.get('memory/2026-06-02.md')).text).toBe(COPY)
    expect((await memory.index({ full: true })).memories).toMatchObject({ added: 0, removed: 0, total: 1 })
  })

  it('shows the same place whichever of the two was indexed first', async () => {
    const paths: string[][] = []
    for (const days of [
      ['01', '02'],
      ['02', '01'],
    ]) {
      const memory = await here.open({ store: join(here.storeFolder, `${days[0]}.sqlite`) })
      for (const day of days) {
        here.note(`memory/2026-06-${day}.md`, `${day === '01' ? ORIGINAL : COPY}\n`)
        await memory.index()
      }
      paths.push((await list(memory, 'orchard beekeeper')).map(({ path }) => path))
      for (const day of days) rmSync(join(here.notes, `memory/2026-06-${day}.md`))
    }
    expect(paths).toEqual([['memory/2026-06-01.md'], ['memory/2026-06-01.md']])
  })

  it('takes over at once, in its own words, when the first place says something else or is gone', async () => {
    const first = here.note('memory/2026-06-01.md', `${ORIGINAL}\n`)
    here.note('memory/2026-06-02.md', `${COPY}\n`)
    const memory = await here.openIndexed()
    here.note('memory/2026-06-01.md', `${OTHER_DAY}\n`)
    expect((await memory.index()).memories).toMatchObject({ added: 1, removed: 0, total: 2 })
    expect((await list(memory, 'orchard sunday'))[0]).toMatchObject({ path: 'memory/2026-06-02.md', snippet: COPY })
    expect((await list(memory, 'orchard monday'))[0]).toMatchObject({
      path: 'memory/2026-06-01.md',
      snippet: OTHER_DAY,
    })
    rmSync(first)
    await memory.index()
    expect(await list(memory, 'orchard beekeeper')).toMatchObject([{ path: 'memory/2026-06-02.md', snippet: COPY }])
    expect((await memory.doctor()).findings).toEqual([])
  })

  it('counts once: reading anew or changing what else its document says folds nothing', async () => {
    here.note('memory/a.md', '# Alder\n\nThe alder post leans.\n\n## Birch\n\nThe birch gate hangs.\n')
    here.note('memory/b.md', '# Alder\n\nThe alder post leans.\n')
    const memory = await here.open()
    expect((await memory.index()).memories).toMatchObject({ total: 2, added: 2, duplicates: 1 })
    expect((await memory.index({ full: true })).memories).toMatchObject({ added: 0, removed: 0, duplicates: 0 })
    here.note('memory/a.md', '# Alder\n\nThe alder post leans.\n\n## Birch\n\nThe birch gate is mended.\n')
    expect((await memory.index()).memories).toMatchObject({ total: 2, added: 1, removed: 1, duplicates: 0 })
  })

  it('that comes to say something else is a memory of its own', async () => {
    here.note('memory/2026-06-01.md', `${ORIGINAL}\n`)
    here.note('memory/2026-06-02.md', `${COPY}\n`)
    const memory = await here.openIndexed()
    here.note('memory/2026-06-02.md', `${COPY.replace('blue', 'green')}\n`)
    expect((await memory.index()).memories).toMatchObject({ added: 1, removed: 0, total: 2 })
    expect((await list(memory, 'green door'))[0]).toMatchObject({ path: 'memory/2026-06-02.md' })
    expect((await list(memory, 'blue door'))[0]).toMatchObject({ path: 'memory/2026-06-01.md' })
  })

  it('in a resumed session adds nothing', async () => {
    const records = [user(ORIGINAL), user(OTHER_DAY)]
    here.session('one.jsonl', [head('one'), ...records])
    here.session('two.jsonl', [head('two'), ...records, user(COPY), user('A word that is new: marzipan.')])
    const memory = await here.open()
    expect((await memory.index()).memories).toMatchObject({ total: 3 })
    const told = (await list(memory, 'beekeeper supper')).filter(({ snippet }) => snippet.includes('Sunday'))
    expect(told).toHaveLength(1)
  })

  it('is forgotten with what it copies, and does not come back', async () => {
    here.note('memory/2026-06-01.md', `${ORIGINAL}\n`)
    here.note('memory/2026-06-02.md', `${COPY}\n`)
    const memory = await here.openIndexed()
    const [found] = (await memory.search('orchard beekeeper')).results
    await memory.forget(found?.id ?? '')
    here.note('memory/2026-06-03.md', `> ${ORIGINAL.toLowerCase()}\n`)
    await memory.index({ full: true })
    expect(await list(memory, 'orchard beekeeper')).toEqual([])
  })
})
