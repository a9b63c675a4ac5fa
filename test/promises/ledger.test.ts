import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { runCli } from '../../src/cli/run-cli.ts'
import type { LedgerEntry } from '../../src/index.ts'
import { agent, head, user, useWorkspace } from './workspace.ts'

const here = useWorkspace()

/** Real transcripts, which are not part of this repository. */
const data = process.env.MADELEINE_DATA ?? join('..', 'shared', 'data')
const realRoots = [join(data, 'transcripts'), join(data, 'openclaw')].filter(existsSync)

function sumOf({ indexed, duplicate, redacted, structure, stripped, skipped }: LedgerEntry): number {
  const counts = [indexed, duplicate, redacted, structure, ...Object.values(stripped), ...Object.values(skipped)]
  for (const count of counts) expect(count).toBeGreaterThanOrEqual(0)
  return counts.reduce((sum, count) => sum + count, 0)
}

/** UTF-16 units of a file as it is read. */
function charactersOf(file: string): number {
  const bytes = readFileSync(file)
  return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8').length
}

async function runStatus(...args: readonly string[]): Promise<{ out: string; code: number }> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const places = ['--workspace', here.notes, '--transcripts', here.sessions, '--store', here.storeFile]
  const code = await runCli(['status', ...args, ...places], {
    env: { MADELEINE_EMBEDDING: 'none' },
    home: here.home,
    cwd: here.home,
    platform: 'linux',
    stdin: Readable.from([]),
    stdout,
    stderr,
  })
  return { out: (stdout.read() as Buffer).toString('utf8'), code }
}

describe('the ledger of status', () => {
  it('accounts for every character of every file, the same in words, as JSON and from the library', async () => {
    const said = 'the blue canoe leaks at the stern'
    here.note('memory/shed.md', '---\ntitle: Shed\n---\n# Shed\n\nBuilt of larch.\n')
    here.session('a.jsonl', [
      head('a'),
      user(`<recalled-context>MARROW</recalled-context>\n${said}`),
      agent('HEARTBEAT_OK'),
    ])
    const memory = await here.openIndexed()
    const { ledger = [] } = await memory.status({ ledger: true })
    expect(ledger.map(({ path }) => path)).toEqual(['memory/shed.md', 'sessions/a.jsonl'])
    for (const entry of ledger) {
      const length = charactersOf(join(entry.root, entry.path.replace(/^sessions\//, '')))
      expect([entry.characters, sumOf(entry)]).toEqual([length, length])
    }
    expect(ledger[1]).toMatchObject({
      indexed: said.length,
      stripped: { 'recalled memory': '<recalled-context>MARROW</recalled-context>'.length },
      skipped: { 'machinery: polls, acknowledgements, empty output': 'HEARTBEAT_OK'.length },
    })
    const json = await runStatus('--ledger', '--json')
    expect(json.code).toBe(0)
    expect(JSON.parse(json.out).ledger).toEqual(ledger)
    const { out } = await runStatus('--ledger')
    expect(out).toMatch(/ {2}ledger {3}[\d,]+ characters in 2 files/)
    expect(out).toMatch(new RegExp(` ${said.length} +\\d+\\.\\d % +indexed`))
    expect(out).toMatch(/ 43 +\d+\.\d % +stripped: recalled memory/)
  })

  it('is not made unless it is asked for, and changes nothing', async () => {
    here.note('memory/shed.md', '# Shed\n\nBuilt of larch.\n')
    const memory = await here.openIndexed()
    const before = await memory.status()
    expect(before).not.toHaveProperty('ledger')
    const written = statSync(join(here.notes, 'memory/shed.md')).mtimeMs
    const { ledger: _, ...after } = await memory.status({ ledger: true })
    expect(after).toEqual(before)
    expect(statSync(join(here.notes, 'memory/shed.md')).mtimeMs).toBe(written)
    expect(readdirSync(join(here.notes, 'memory'))).toEqual(['shed.md'])
  })

  it('leaves a root that is gone to the report on roots', async () => {
    here.note('memory/shed.md', '# Shed\n\nBuilt of larch.\n')
    const memory = await here.open({ transcripts: [join(here.home, 'none')] })
    const { ledger, roots } = await memory.status({ ledger: true })
    expect(ledger).toHaveLength(1)
    expect(roots[1]).toHaveProperty('problem')
  })

  it.skipIf(realRoots.length === 0)('adds up for transcripts from the field', async () => {
    const memory = await here.open({ workspaces: [], transcripts: realRoots })
    const { ledger = [] } = await memory.status({ ledger: true })
    expect(ledger.length).toBeGreaterThan(5)
    for (const entry of ledger) {
      const length = charactersOf(join(entry.root, entry.path.replace(/^sessions\//, '')))
      expect([entry.path, entry.characters, sumOf(entry)]).toEqual([entry.path, length, length])
    }
  })
})
