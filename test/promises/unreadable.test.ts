import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { runCli } from '../../src/cli/run-cli.ts'
import { useWorkspace } from './workspace.ts'

const here = useWorkspace()

/** Runs a command line as somebody who is not root, who may read everything. */
async function run(args: readonly string[]) {
  const stdout = new PassThrough()
  const isRoot = process.getuid?.() === 0
  chmodSync(here.home, 0o777)
  if (isRoot) process.seteuid?.(65_534)
  try {
    const code = await runCli([...args, '--workspace', here.notes, '--store', here.storeFile, '--json'], {
      env: { MADELEINE_EMBEDDING: 'none' },
      home: here.home,
      cwd: here.home,
      platform: 'linux',
      stdin: Readable.from([]),
      stdout,
      stderr: new PassThrough(),
    })
    return { code, document: JSON.parse((stdout.read() as Buffer).toString('utf8')) }
  } finally {
    if (isRoot) process.seteuid?.(0)
  }
}

describe.skipIf(process.platform === 'win32')('a folder that cannot be read for the moment', () => {
  it('loses nothing that was indexed from it, and leaves the run partly done', async () => {
    here.note('memory/a.md', '# Alder\n\nThe alder post leans.\n')
    here.note('locked/b.md', '# Birch\n\nThe birch gate hangs.\n')
    expect((await run(['index'])).code).toBe(0)
    for (const mode of [0o000, 0o444]) {
      chmodSync(join(here.notes, 'locked'), mode)
      const { code, document } = await run(['index'])
      chmodSync(join(here.notes, 'locked'), 0o755)
      expect({ mode, code, removed: document.documents.removed }).toEqual({ mode, code: 3, removed: 0 })
    }
    expect((await run(['search', 'birch gate'])).document.results).toHaveLength(1)
  })
})
