import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { head, user, useWorkspace } from './workspace.ts'

const here = useWorkspace()

/** Old enough that the clock of the files cannot be in doubt. */
const LATER = '2030-01-01T00:00:00Z'

describe('whose a document is', () => {
  it('follows the configured agent, though no file has changed', async () => {
    here.note('memory/larch.md', '# Larch\n\nThe larch gate is green.\n')
    here.session('talk.jsonl', [head('talk'), user('The larch fence stands.')])
    await here.openIndexed({ agentId: 'alice', at: LATER })
    const bob = await here.openIndexed({ agentId: 'bob', at: LATER })
    expect((await bob.search('larch')).results.map(({ path }) => path).sort()).toEqual([
      'memory/larch.md',
      'sessions/talk.jsonl',
    ])
    expect((await bob.index()).documents).toMatchObject({ added: 0, changed: 0, removed: 0 })
    const alice = await here.open({ agentId: 'alice', at: LATER })
    expect((await alice.search('larch')).results).toEqual([])
  })

  it('follows the project, where a Git root comes to stand above', async () => {
    here.note('memory/larch.md', '# Larch\n\nThe larch gate is green.\n')
    await here.openIndexed({ at: LATER })
    mkdirSync(join(here.home, '.git'))
    const after = await here.openIndexed({ at: LATER, project: here.home })
    expect((await after.search('larch')).results).toHaveLength(1)
  })

  it('is not changed by another tenant, who is refused before anything is read', async () => {
    here.note('memory/larch.md', '# Larch\n\nThe larch gate is green.\n')
    const a = await here.openIndexed({ tenant: 'a', at: LATER })
    here.note('memory/new.md', '# New\n\nThe larch post is new.\n')
    const b = await here.open({ tenant: 'b', at: LATER })
    for (const full of [false, true]) {
      await expect(b.index({ full })).rejects.toMatchObject({
        code: 'INVALID_OPTION',
        message: expect.stringContaining('tenant "a"'),
        remedy: expect.stringContaining('--store'),
      })
    }
    expect((await b.search('larch')).results).toEqual([])
    expect((await a.search('larch')).results).toHaveLength(1)
  })
})
