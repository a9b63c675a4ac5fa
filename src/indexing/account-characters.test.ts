import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import type { LedgerEntry } from '../model/ledger.ts'
import { createMarkdownSource } from '../source/markdown-source.ts'
import { createTranscriptSource } from '../source/transcript-source.ts'
import { createInMemoryStore } from '../store/memory/in-memory-store.ts'
import { accountCharacters } from './account-characters.ts'
import { indexSources } from './index-sources.ts'

const folder = mkdtempSync(join(tmpdir(), 'madeleine-ledger-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let made = 0

/** Writes files below a new root. */
function write(files: Record<string, string | Buffer>): string {
  const root = join(folder, String(++made))
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(root, path, '..'), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  return root
}

const clock = (): Date => new Date('2026-06-01T12:00:00Z')
const timeZone = 'UTC'

async function accountNotes(files: Record<string, string | Buffer>): Promise<LedgerEntry[]> {
  const sources = [createMarkdownSource({ root: write(files), tenant: 't', agent: 'a' })]
  return accountCharacters(createInMemoryStore(), { sources, timeZone })
}

async function accountTranscripts(files: Record<string, string | Buffer>): Promise<LedgerEntry[]> {
  const sources = [createTranscriptSource({ root: write(files), tenant: 't' })]
  return accountCharacters(createInMemoryStore(), { sources, timeZone })
}

function sumOf({ indexed, duplicate, redacted, structure, stripped, skipped }: LedgerEntry): number {
  const counts = [indexed, duplicate, redacted, structure, ...Object.values(stripped), ...Object.values(skipped)]
  for (const count of counts) expect(count).toBeGreaterThanOrEqual(0)
  return counts.reduce((sum, count) => sum + count, 0)
}

const head = { type: 'session', version: 3, id: 's1', timestamp: '2026-05-01T09:00:00Z', cwd: '/tmp' }
const message = (id: string, body: object): object => ({
  type: 'message',
  id,
  timestamp: '2026-05-01T09:00:00Z',
  message: body,
})
const user = (id: string, text: string): object => message(id, { role: 'user', content: [{ type: 'text', text }] })
const lines = (records: readonly object[]): string => records.map((record) => `${JSON.stringify(record)}\n`).join('')

describe('the ledger', () => {
  it('says of a note what became of every character', async () => {
    const secret = `ghp_${'q7'.repeat(18)}`
    const parts = {
      front: '---\ntitle: Shed\n---',
      said: '# Shed\n\nBuilt of larch.',
      empty: '## Links\n\n- <https://yard.test/a>\n\n',
      token: `## Keys\n\nThe token is ${secret}.`,
    }
    const text = `${parts.front}\n${parts.said}\n\n${parts.empty}${parts.token}\n`
    const [entry] = await accountNotes({ 'memory/shed.md': text })
    expect(entry).toMatchObject({
      path: 'memory/shed.md',
      characters: text.length,
      indexed: parts.said.length + parts.token.length - secret.length,
      duplicate: 0,
      redacted: secret.length,
      structure: 0,
      stripped: { 'front matter': parts.front.length - 2, 'blank lines': 6 },
      skipped: { 'sections that say nothing': parts.empty.length },
    })
  })

  it('says of a transcript what was said, what was left out, and what is syntax', async () => {
    const said = 'the blue canoe leaks at the stern'
    const seen = '<recalled-context>MARROW</recalled-context>'
    const thinking = 'they mean the blue one'
    const output = 'depth 3 m'
    const text = lines([
      head,
      user('a', `${seen}${said}`),
      user('a', `${seen}${said}`),
      message('b', {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking },
          { type: 'toolCall', id: 'c1', name: 'exec', arguments: { command: 'sonar' } },
        ],
      }),
      message('c', {
        role: 'toolResult',
        toolCallId: 'c1',
        toolName: 'exec',
        content: [{ type: 'text', text: output }],
        details: { aggregated: output },
      }),
      message('d', { role: 'assistant', content: [{ type: 'text', text: 'HEARTBEAT_OK' }] }),
      { type: 'compaction', id: 'e', summary: 'They talked of a canoe.' },
    ])
    const [entry] = await accountTranscripts({ 'a.jsonl': `${text}{"broken\n` })
    expect(entry).toMatchObject({
      characters: text.length + 9,
      indexed: said.length + '[tool] exec: sonar'.length + output.length,
      duplicate: seen.length + said.length,
      redacted: 0,
      stripped: { 'recalled memory': seen.length },
      skipped: {
        thinking: thinking.length,
        'details of tool results': output.length,
        'machinery: polls, acknowledgements, empty output': 12,
        'summaries of earlier turns': 'They talked of a canoe.'.length,
        'lines that are not valid JSON': 8,
      },
    })
    expect(entry && sumOf(entry)).toBe(text.length + 9)
  })

  it('counts what a resumed session repeats as duplicate, and what was forgotten as left out', async () => {
    const turns = [head, user('a', 'the blue canoe leaks'), user('b', 'the red canoe is dry')]
    const root = write({ 'a.jsonl': lines(turns), 'b.jsonl': lines([...turns, user('c', 'the oar is cracked')]) })
    const sources = [createTranscriptSource({ root, tenant: 't' })]
    const store = createInMemoryStore()
    await indexSources(store, { sources, clock, timeZone })
    const before = await accountCharacters(store, { sources, timeZone })
    expect(before.map(({ indexed, duplicate }) => [indexed, duplicate]).sort()).toEqual([
      [18, 40],
      [40, 0],
    ])
    const [known] = (await store.listMemories({ viewer: { tenant: 't', agent: 'main' } })).filter(({ text }) =>
      text.includes('blue'),
    )
    if (!known) throw new Error('The blue canoe is not stored')
    await store.forget({ ids: [known.id] }, clock())
    const after = await accountCharacters(store, { sources, timeZone })
    expect(after.map(({ skipped }) => skipped)).toEqual([
      { 'forgotten by its owner': 20 },
      { 'forgotten by its owner': 20 },
    ])
  })

  it('counts files that are left out as a whole, long lines and packed files', async () => {
    const text = lines([head, user('a', 'der Kahn ist blau 🛶')])
    const entries = await accountTranscripts({
      'a.jsonl.gz': gzipSync(text),
      'b.jsonl': '{"some":"other"}\n{"thing":1}\n',
    })
    expect(entries.find(({ path }) => path.endsWith('.gz'))).toMatchObject({ characters: text.length, indexed: 20 })
    expect(entries.find(({ path }) => path.endsWith('b.jsonl'))).toMatchObject({
      characters: 29,
      structure: 0,
      skipped: { 'no transcript of a known host': 29 },
    })
  })

  const word = fc.constantFrom(
    'larch',
    '备份脚本',
    '👩‍👩‍👧 crew',
    '"quoted" \\ back',
    '\u0000',
    '\u001b[1m',
    '\t',
    '\n',
    '\n\n',
    '| a |',
    '- [ ] x',
    '```',
  )
  const text = fc.array(word, { maxLength: 30 }).map((words) => words.join(' '))

  it('adds up for any notes, with nothing that no rule answers for', async () => {
    const block = fc.oneof(
      text,
      text.map((line) => `# ${line.replaceAll('\n', ' ')}\n`),
      text.map((line) => `---\ntitle: ${line.replaceAll('\n', ' ')}\n---\n`),
      fc.constantFrom(
        '\r\n',
        '<!-- later -->\n',
        '## Links\n- [[a]]\n',
        'x'.repeat(5000),
        `${'| a | b |\n|---|---|\n'}${'| c | d |\n'.repeat(400)}`,
      ),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(block, { maxLength: 10 }), { minLength: 1, maxLength: 3 }), async (notes) => {
        const files = Object.fromEntries(notes.map((blocks, n) => [`${n}.md`, blocks.join('\n')]))
        const entries = await accountNotes(files)
        expect(entries).toHaveLength(notes.length)
        for (const entry of entries) {
          const length = Buffer.from(files[entry.path] ?? '').toString('utf8').length
          expect([entry.characters, entry.structure, sumOf(entry)]).toEqual([length, 0, length])
        }
      }),
      { numRuns: 40 },
    )
  })

  it('adds up for any transcripts of both hosts, and takes for syntax what is outside of the texts', async () => {
    const openClaw = fc.array(text, { maxLength: 8 }).map((texts) => ({
      records: [head, ...texts.map((one, n) => user(`u${n}`, one))],
      said: texts.reduce((sum, one) => sum + one.length, 0),
    }))
    const claude = fc.array(fc.tuple(text, text), { maxLength: 6 }).map((pairs) => ({
      records: pairs.flatMap(([asked, output], n) => [
        record(`a${n}`, { type: 'user', message: { role: 'user', content: asked } }),
        record(`b${n}`, {
          type: 'user',
          message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'x', content: output }] },
          toolUseResult: output,
        }),
      ]),
      said: pairs.reduce((sum, [asked, output]) => sum + asked.length + 2 * output.length, 0),
    }))
    await fc.assert(
      fc.asyncProperty(fc.oneof(openClaw, claude), async ({ records, said }) => {
        const content = lines(records)
        const [entry] = await accountTranscripts({ 'a.jsonl': content })
        if (!entry) throw new Error('The file is not in the ledger')
        expect([entry.characters, sumOf(entry)]).toEqual([content.length, content.length])
        if (records.length > 0) expect(entry.structure).toBe(content.length - said)
        expect(entry.indexed).toBe(await storedCharacters(content))
      }),
      { numRuns: 60 },
    )
  })

  it('adds up for the transcripts and notes of the examples', async () => {
    const examples = join(import.meta.dirname, '..', '..', 'examples')
    const sources = [
      createMarkdownSource({ root: join(examples, 'workspace'), tenant: 't', agent: 'a' }),
      createTranscriptSource({ root: join(examples, 'transcripts'), tenant: 't' }),
    ]
    const ledger = await accountCharacters(createInMemoryStore(), { sources, timeZone })
    expect(ledger.length).toBeGreaterThan(50)
    for (const entry of ledger) {
      const file = join(entry.root, entry.path.replace(/^sessions\//, ''))
      const bytes = readFileSync(file)
      const length = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8').length
      expect([entry.path, entry.characters, sumOf(entry)]).toEqual([entry.path, length, length])
      expect(entry.indexed + entry.duplicate).toBeGreaterThan(0)
    }
  })
})

/** Characters of the memories that indexing a transcript gives. */
async function storedCharacters(content: string): Promise<number> {
  const store = createInMemoryStore()
  const sources = [createTranscriptSource({ root: write({ 'a.jsonl': content }), tenant: 't' })]
  await indexSources(store, { sources, clock, timeZone })
  const memories = await store.listMemories({ viewer: { tenant: 't', agent: 'main' } })
  return memories.reduce((sum, { text }) => sum + text.length, 0)
}

function record(uuid: string, fields: object): object {
  return { uuid, sessionId: 's1', parentUuid: null, timestamp: '2026-05-01T09:00:00Z', ...fields }
}
