import { describe, expect, it } from 'vitest'
import { GET_MAX_CHARS } from '../../src/options.ts'
import { runCommand } from '../run-command.ts'
import { useWorkspace } from './workspace.ts'

const here = useWorkspace()

const run = (args: readonly string[]) =>
  runCommand([...args, '--workspace', here.notes, '--store', here.storeFile], { home: here.home })

describe('get', () => {
  it('by id gives the text of that memory, however late in a long line it stands', async () => {
    const filler = Array.from({ length: 4000 }, (_, n) => `Crate ${n} stands in hall ${n % 9}.`).join(' ')
    expect(filler.length).toBeGreaterThan(GET_MAX_CHARS * 2)
    here.note('memory/long.md', `${filler} The cormorant sits on buoy 2.\n`)
    const memory = await here.openIndexed()
    const [hit] = (await memory.search('cormorant buoy')).results
    const answer = await memory.get(hit?.id ?? '')
    expect(answer).toMatchObject({ path: 'memory/long.md', startLine: 1, endLine: 1, truncated: false })
    expect(answer.text).toContain('The cormorant sits on buoy 2.')
    expect(answer.text.length).toBeLessThan(GET_MAX_CHARS)
    const cut = await run(['get', 'memory/long.md'])
    expect(cut.err).toContain('id of a search hit')
  })

  it('refuses lines that a document does not have, and says how long it is', async () => {
    here.note('memory/a.md', '# Alder\n\nThe alder post leans.\n')
    const memory = await here.openIndexed()
    for (const options of [{ from: 4 }, { from: 0 }, { from: 1.5 }, { from: 1, lines: 0 }]) {
      await expect(memory.get('memory/a.md', options)).rejects.toMatchObject({
        code: 'INVALID_OPTION',
        message: expect.stringContaining('line 3'),
      })
    }
    expect((await memory.get('memory/a.md', { from: 3, lines: 50 })).text).toBe('The alder post leans.')
    for (const [name, said] of [
      ['memory/a.md:9-12', 'line 3'],
      ['memory/a.md:3-1', 'count from 1'],
      ['memory/a.md:0', 'count from 1'],
    ] as const) {
      const { code, out, err } = await run(['get', name])
      expect({ name, code, out }).toEqual({ name, code: 2, out: '' })
      expect(err).toContain(said)
    }
  })

  it.skipIf(process.platform === 'win32')('takes lines of a document whose name holds line breaks', async () => {
    here.note('memory/two\nlines\r.md', 'The alder post leans.\n\nThe larch gate hangs.\n')
    await here.openIndexed()
    expect((await run(['get', 'memory/two\nlines\r.md:3'])).out).toBe('The larch gate hangs.\n')
  })

  it('refuses a search in a time that is empty', async () => {
    const memory = await here.openIndexed()
    await expect(memory.search('alder', { after: '2026-06-02', before: '2026-06-01' })).rejects.toMatchObject({
      code: 'INVALID_OPTION',
    })
    expect((await run(['search', 'alder', '--after', '2026-06-02', '--before', '2026-06-02'])).code).toBe(2)
    expect((await run(['search', 'alder', '--after', '2026-06-01', '--before', '2026-06-02'])).code).toBe(0)
  })
})
