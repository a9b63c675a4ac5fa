import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { runCli } from '../../src/cli/run-cli.ts'
import { useWorkspace } from './workspace.ts'

const here = useWorkspace()

async function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const code = await runCli([...args, '--store', here.storeFile], {
    ...{ env: { MADELEINE_EMBEDDING: 'none' }, home: here.home, cwd: here.home, platform: process.platform },
    ...{ stdin: Readable.from([]), stdout, stderr },
  })
  return { code, out: String(stdout.read() ?? ''), err: String(stderr.read() ?? '') }
}

it('takes over what another program remembers, tells what it left out, and adds nothing the second time', async () => {
  const records = [
    { type: 'entity', name: 'Mara', entityType: 'person', observations: ['speaks Greek'] },
    { type: 'relation', from: 'Mara', to: 'Acme', relationType: 'works_at' },
  ]
  writeFileSync(join(here.home, 'memory.jsonl'), `${records.map((one) => JSON.stringify(one)).join('\n')}\nbroken\n`)
  const skipped = [{ line: 3, reason: 'it is no JSON' }]
  const first = await run('import', '--from', 'server-memory', 'memory.jsonl', '--json')
  expect([first.code, JSON.parse(first.out)]).toEqual([3, { imported: 2, unchanged: 0, skipped }])
  const second = await run('import', '--from', 'server-memory', '~/memory.jsonl', '--json')
  expect([second.code, JSON.parse(second.out)]).toEqual([3, { imported: 0, unchanged: 2, skipped }])
  const { out } = await run('import', '--from', 'server-memory', 'memory.jsonl')
  expect(out).toContain('2 known before, 1 skipped')
  expect(out).toContain('3: it is no JSON')
  const found = JSON.parse((await run('search', 'Who works at Acme?', '--json')).out)
  expect(found.results).toMatchObject([{ snippet: 'Mara works_at Acme', type: 'relationship' }])
})

it('refuses a kind that it does not know, a missing file, and a file of another kind', async () => {
  writeFileSync(join(here.home, 'diary.txt'), 'Dear diary')
  expect(await run('import', 'diary.txt')).toMatchObject({ code: 2, err: expect.stringContaining('--from') })
  expect(await run('import', '--from', 'mem1', 'diary.txt')).toMatchObject({
    code: 2,
    err: expect.stringContaining('mem0'),
  })
  expect(await run('import', '--from', 'mem0', 'no-such.json')).toMatchObject({ code: 3 })
  expect(await run('import', '--from', 'mem0', 'diary.txt')).toMatchObject({ code: 2, out: '' })
})
