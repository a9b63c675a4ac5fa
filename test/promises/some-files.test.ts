import { appendFileSync, rmSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { agent, head, user, useWorkspace } from './workspace.ts'

const here = useWorkspace()

describe('an index run over some files only', () => {
  it('reads what was added to them, and leaves all others and what was removed meanwhile as they are', async () => {
    const first = here.session('a.jsonl', [head('a'), user('The kiln is fired on Tuesdays.')])
    const second = here.session('b.jsonl', [head('b'), user('The loom has forty shafts.')])
    const note = here.note('memory/glaze.md', '# Glaze\n\nThe celadon glaze needs iron.\n')
    const memory = await here.openIndexed()
    appendFileSync(first, `${JSON.stringify(agent('The kiln door was mended.'))}\n`)
    appendFileSync(second, `${JSON.stringify(agent('The loom was oiled.'))}\n`)
    rmSync(note)
    const report = await memory.index({ only: [first] })
    expect(report.documents).toMatchObject({ total: 3, added: 0, changed: 1, removed: 0 })
    expect((await memory.search('kiln door mended')).results[0]?.path).toBe('sessions/a.jsonl')
    expect((await memory.search('loom oiled')).results.map(({ snippet }) => snippet).join()).not.toContain('oiled')
    expect((await memory.search('celadon glaze')).results).toHaveLength(1)
  })

  it('adds a file that is new, and none that lies outside of the roots', async () => {
    const memory = await here.openIndexed()
    const file = here.session('c.jsonl', [head('c'), user('The weir gate sticks in frost.')])
    expect((await memory.index({ only: [file, '/no/such/place.jsonl'] })).documents).toMatchObject({
      total: 1,
      added: 1,
    })
  })

  it('keeps what an earlier run told of other files', async () => {
    here.session('broken.jsonl', [head('x'), '{"type":"message","mess', user('The heron nests on pier four.')])
    const file = here.session('a.jsonl', [head('a'), user('The kiln is fired on Tuesdays.')])
    const memory = await here.openIndexed()
    const before = (await memory.status()).skipped
    expect(before).not.toEqual([])
    appendFileSync(file, `${JSON.stringify(agent('The kiln door was mended.'))}\n`)
    await memory.index({ only: [file] })
    expect((await memory.status()).skipped).toEqual(before)
  })
})
