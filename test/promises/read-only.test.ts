import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCommand } from '../run-command.ts'
import { head, NOW, user, useWorkspace } from './workspace.ts'

const here = useWorkspace()

/** Runs a command line as somebody who is not root, who may do everything. */
async function run(args: readonly string[]) {
  const common = ['--workspace', here.notes, '--store', here.storeFile, '--now', NOW, '--tz', 'UTC']
  const isRoot = process.getuid?.() === 0
  if (isRoot) {
    chmodSync(here.home, 0o755)
    process.seteuid?.(65_534)
  }
  try {
    const env = { MADELEINE_RECALL_DEADLINE_MS: '60000' }
    return await runCommand([...args, ...common], { env, home: here.home })
  } finally {
    if (isRoot) process.seteuid?.(0)
  }
}

describe.skipIf(process.platform === 'win32')('a store that may only be read', () => {
  it('answers every question, and refuses what would write with 5 and what to do', async () => {
    here.note('memory/larch.md', '# Larch\n\nThe larch gate is painted green in March.\n')
    here.session('talk.jsonl', [head('talk'), user('The larch gate hangs.')])
    const memory = await here.openIndexed()
    await memory.close()
    chmodSync(here.storeFile, 0o444)
    chmodSync(dirname(here.storeFile), 0o555)
    try {
      expect((await run(['search', 'larch gate green'])).out).toContain('painted green')
      expect(await run(['get', 'memory/larch.md:3'])).toEqual({
        code: 0,
        out: 'The larch gate is painted green in March.\n',
        err: '',
      })
      expect((await run(['status'])).out).toContain('2 documents')
      const recalled = await run(['recall', 'when is the larch gate painted green?', '--session', 's1'])
      expect(recalled.code).toBe(0)
      expect(recalled.out).toContain('March')
      here.note('memory/new.md', '# New\n\nA new note about the winch.\n')
      for (const args of [['remember', 'the winch is blue'], ['forget', 'memory/larch.md'], ['index']]) {
        const { code, err } = await run(args)
        expect({ args, code }).toEqual({ args, code: 5 })
        expect(err).toContain('permissions')
      }
    } finally {
      chmodSync(dirname(here.storeFile), 0o755)
    }
  })

  it('and is empty is no store: 5, and it stays as it is', async () => {
    const file = join(here.home, 'empty.sqlite')
    writeFileSync(file, '')
    chmodSync(file, 0o444)
    chmodSync(here.home, 0o755)
    const { code, err } = await run(['search', 'larch', '--store', file])
    expect(code).toBe(5)
    expect(err).toContain('permissions')
    expect(existsSync(`${file}-wal`)).toBe(false)
  })
})
