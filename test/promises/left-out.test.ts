import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCommand } from '../run-command.ts'
import { head, user, useWorkspace } from './workspace.ts'

const here = useWorkspace()
/** Old enough that the clock of the files cannot be in doubt. */
const LATER = '2030-01-01T00:00:00Z'
const TOKEN = `ghp_${'x7Kd93LmQ2'.repeat(4).slice(0, 36)}`

const run = (args: readonly string[]) =>
  runCommand([...args, '--store', here.storeFile, '--now', LATER, '--tz', 'UTC'], { home: here.home })

describe('what is left out', () => {
  it('stays in the status while the file is as it was, and leaves it when the file is mended', async () => {
    here.session('broken.jsonl', [head('broken'), user('The stork nests.'), '{"type":', user('It flies.'), '{"x'])
    here.note('memory/a.md', '# Alder\n\nThe alder post leans.\n')
    const memory = await here.openIndexed({ at: LATER })
    const first = (await memory.status()).skipped
    expect(first.filter(({ path }) => path === 'sessions/broken.jsonl').map(({ line }) => line)).toEqual([3, 5])
    here.note('memory/b.md', '# Birch\n\nThe birch gate hangs.\n')
    const report = await memory.index()
    expect(report.problems).toEqual([])
    expect((await memory.status()).skipped).toEqual(first)
    here.session('broken.jsonl', [head('broken'), user('The stork nests.'), user('It flies.')])
    await memory.index()
    expect((await memory.status()).skipped).toEqual([])
  })

  it('is not what was only redacted, and remembering says that it redacted', async () => {
    here.note('memory/key.md', `# Key\n\nThe deploy token is ${TOKEN} for now.\n`)
    const { out } = await run(['index', '--workspace', here.notes])
    expect(out).toMatch(/redacted {2}1\n/)
    expect(out).not.toContain('skipped')
    const { err } = await run(['remember', `The deploy token is ${TOKEN}`])
    expect(err).toContain('1 secret redacted')
    expect((await run(['remember', 'The alder post leans'])).err).toBe('')
  })

  it('is no duplicate that was only renamed', async () => {
    here.note('memory/a.md', '# Alder\n\nThe alder post leans.\n\n## Birch\n\nThe birch gate hangs.\n')
    const memory = await here.openIndexed({ at: LATER })
    renameSync(join(here.notes, 'memory/a.md'), join(here.notes, 'memory/b.md'))
    expect(await memory.index()).toMatchObject({
      documents: { added: 1, removed: 1 },
      memories: { added: 0, removed: 0, duplicates: 0 },
    })
    here.note('memory/c.md', '# Alder\n\nThe alder post leans.\n')
    expect((await memory.index()).memories).toMatchObject({ added: 0, duplicates: 1 })
  })

  it('has a remedy where a root is missing, when indexing and when searching', async () => {
    const missing = join(here.home, 'nowhere')
    const index = await run(['index', '--workspace', missing, '--workspace', here.notes])
    expect(index.code).toBe(3)
    expect(index.out).toContain('Create the folder')
    const search = await run(['search', 'alder', '--workspace', missing])
    expect(search.err).toContain('nowhere is not there')
    expect((await run(['search', 'alder', '--workspace', here.notes])).err).not.toContain('is not there')
  })

  it('does not count the whole store among the results', async () => {
    for (let n = 0; n < 20; n++) here.note(`memory/n${n}.md`, `# Note ${n}\n\nThe alder post ${n} leans.\n`)
    await here.openIndexed({ at: LATER })
    expect((await run(['search', 'alder post', '--limit', '3'])).err).toContain('The best 3; --limit shows more.')
  })

  it('shows in the configuration what holds where nothing is set', async () => {
    const { settings } = JSON.parse((await run(['config', '--json'])).out)
    expect(settings['recall.threshold']).toMatchObject({ value: 0.5, from: 'default' })
    expect(settings['recall.tokenBudget'].value).toBe(1000)
    expect(settings['recall.deadlineMs'].value).toBe(800)
  })
})
