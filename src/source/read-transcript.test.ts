import { appendFileSync, mkdtempSync, readFileSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Turn } from '../model/document.ts'
import { createTally } from '../normalize/tally.ts'
import { MAX_OPEN_BYTES, TRANSCRIPT_HEAD_BYTES, TRANSCRIPT_MARK_BYTES, TRANSCRIPT_PART } from '../options.ts'
import type { SourceEntry } from './source.ts'
import type { TranscriptPart } from './transcript-reading.ts'
import { createTranscriptSource } from './transcript-source.ts'

const TIME = new Date('2026-02-01T10:00:00Z')
let root: string
let file: string

beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'madeleine-parts-')))
  file = path.join(root, 's.jsonl')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const open = (agent?: string) => createTranscriptSource({ root, tenant: 'local', ...(agent && { agent }) })

async function findEntry(): Promise<SourceEntry> {
  for await (const entry of open().list(() => undefined)) return entry
  throw new Error('There is no file')
}

/** All parts of the file as it is now. */
async function readParts(cursor?: string, agent?: string): Promise<TranscriptPart[]> {
  utimesSync(file, TIME, TIME)
  const parts: TranscriptPart[] = []
  for await (const part of open(agent).readParts?.(await findEntry(), cursor === undefined ? {} : { cursor }) ?? []) {
    if ('skipped' in part) throw new Error(part.skipped)
    parts.push(part as TranscriptPart)
  }
  return parts
}

/** What a store holds of a file after these parts. */
interface Kept {
  turns: Turn[]
  settled: number
  cursor: string | undefined
  last: TranscriptPart | undefined
}

const NOTHING: Kept = { turns: [], settled: 0, cursor: undefined, last: undefined }

function keep(before: Kept, part: TranscriptPart): Kept {
  const start = part.isContinued ? before.turns.slice(0, before.settled) : []
  return {
    turns: [...start, ...part.document.turns],
    settled: start.length + part.settled,
    cursor: part.cursor,
    last: part,
  }
}

async function readOn(before: Kept): Promise<Kept> {
  return (await readParts(before.cursor)).reduce(keep, before)
}

/** All of it that a document is made of. */
function documentOf({ turns, last }: Kept): unknown {
  return { ...last?.document, turns, problems: undefined }
}

let sequence = 0
const line = (record: unknown): string => `${JSON.stringify(record)}\n`
const header = (): string => line({ type: 'session', version: 3, id: 's1', cwd: '/not/here' })
const said = (text: string, id = `e${++sequence}`): string =>
  line({ type: 'message', id, timestamp: '2026-01-05T10:00:01.000Z', message: { role: 'user', content: text } })
const filler = (bytes: number): string => line({ type: 'bookkeeping', data: 'x'.repeat(bytes) })

describe('a long transcript', () => {
  it('comes in parts of bounded size, which together are the whole', async () => {
    const texts = Array.from({ length: 3 * TRANSCRIPT_PART.turns }, (_, n) => `Message ${n} of many.`)
    writeFileSync(file, header() + texts.map((text) => said(text)).join(''))
    const parts = await readParts()
    expect(parts.length).toBeGreaterThan(2)
    expect(parts.flatMap(({ document }) => document.turns.map(({ text }) => text))).toEqual(texts)
    for (const part of parts.slice(0, -1)) {
      expect(part).toMatchObject({ isLast: false, settled: part.document.turns.length, problems: [] })
      expect(part.document.turns.length).toBeLessThan(1.5 * TRANSCRIPT_PART.turns)
      expect(part.document.contentHash).toBe('')
    }
    expect(parts.at(-1)).toMatchObject({ isLast: true, document: { contentHash: expect.stringMatching(/^\w{64}$/) } })
    expect(new Set(parts.map(({ cursor }) => cursor)).size).toBe(parts.length)
  })

  it('that is packed comes in parts too, and is read from its beginning each time', async () => {
    const text = header() + Array.from({ length: 2 * TRANSCRIPT_PART.turns }, (_, n) => said(`Message ${n}.`)).join('')
    file = path.join(root, 's.jsonl.gz')
    writeFileSync(file, gzipSync(text))
    const parts = await readParts()
    expect(parts.length).toBeGreaterThan(1)
    expect((await readParts(parts[0]?.cursor))[0]?.isContinued).toBe(false)
  })

  it('holds no words in its cursors', async () => {
    const secret = 'weathervane'
    const call = { type: 'tool_use', id: 'c1', name: 'Bash', input: { command: secret } }
    const answer = (content: unknown[]): string =>
      line({ type: 'assistant', uuid: `u${++sequence}`, sessionId: 'c', message: { id: `m${sequence}`, content } })
    const records = Array.from({ length: 400 }, () => answer([{ type: 'text', text: `The ${secret} turns.` }, call]))
    writeFileSync(file, records.join('') + filler(TRANSCRIPT_HEAD_BYTES) + records.join(''))
    const parts = await readParts()
    expect(parts.at(-1)?.settled).toBeGreaterThan(0)
    for (const { cursor } of parts) expect(cursor).not.toContain(secret)
  })
})

describe('an error of the program while a transcript is read', () => {
  it('is not taken for damage of the file', async () => {
    const error = new TypeError('cannot read properties of undefined')
    const fail = (): never => {
      throw error
    }
    for (const [name, pack] of [
      ['s.jsonl', (text: string) => text],
      ['s.jsonl.gz', gzipSync],
    ] as const) {
      file = path.join(root, name)
      writeFileSync(file, pack(header() + said('Words.')))
      await expect(open().read(await findEntry(), { ...createTally(), read: fail })).rejects.toBe(error)
      await expect(open().read(await findEntry(), { ...createTally(), step: fail })).rejects.toBe(error)
      rmSync(file)
    }
  })
})

describe('a transcript that was read before', () => {
  const grow = (bytes: string): void => appendFileSync(file, bytes)
  const start = (): string =>
    header() + Array.from({ length: 500 }, (_, n) => said(`Message ${n} about crate ${n}.`)).join('')

  it('goes on where it was: what was settled is not parsed again', async () => {
    writeFileSync(file, start())
    const before = await readOn(NOTHING)
    expect(before.settled).toBe(500)
    grow(said('One more.'))
    const parts = await readParts(before.cursor)
    expect(parts.map(({ isContinued, document }) => [isContinued, document.turns.map(({ text }) => text)])).toEqual([
      [true, ['One more.']],
    ])
  })

  it('is read again as a whole when a byte of its beginning changed, or it became shorter', async () => {
    writeFileSync(file, start())
    const before = await readOn(NOTHING)
    const text = readFileSync(file, 'utf8')
    for (const changed of [text.replace('crate 7', 'crate 8'), text.slice(0, 2000), `${said('In front.')}${text}`]) {
      writeFileSync(file, changed + said('One more.'))
      const parts = await readParts(before.cursor)
      expect(parts[0]?.isContinued).toBe(false)
      expect(documentOf(parts.reduce(keep, NOTHING))).toEqual(documentOf(await readOn(NOTHING)))
    }
  })

  it('is read again as a whole when its memories are another’s now, or the cursor is none', async () => {
    writeFileSync(file, start())
    const { cursor } = await readOn(NOTHING)
    expect((await readParts(cursor, 'other'))[0]).toMatchObject({
      isContinued: false,
      document: { scope: { agent: 'other' } },
    })
    for (const strange of ['', 'x', '[]', '{"version":0}', '{"version":1,"offset":"7"}']) {
      expect((await readParts(strange))[0]?.isContinued).toBe(false)
    }
  })

  it('keeps what its first records said of it, and takes nothing from far behind them', async () => {
    const late = line({ type: 'session', id: 'late', cwd: '/late' })
    const undated = line({ type: 'message', id: 'e', message: { role: 'user', content: 'Undated.' } })
    writeFileSync(file, line({ type: 'session', id: 'first' }) + undated + filler(TRANSCRIPT_HEAD_BYTES))
    grow(late + said('Dated.') + filler(TRANSCRIPT_MARK_BYTES) + said('The last.'))
    const { last } = await readOn(NOTHING)
    expect(last).toMatchObject({ document: { sessionId: 'first', scope: { project: '' }, dateOrigin: 'mtime' } })
  })
})

/** A transcript of Claude Code as its host writes it, seen through a magnifying glass: parts of messages far apart, copies, calls. */
const claudeRecord = fc.oneof(
  fc.record({ kind: fc.constant('answer' as const), message: fc.nat(45), block: fc.nat(3), copy: fc.boolean() }),
  fc.record({ kind: fc.constant('prompt' as const), message: fc.nat(30), block: fc.nat(3), copy: fc.boolean() }),
  fc.record({ kind: fc.constant('result' as const), message: fc.nat(45), block: fc.nat(3), copy: fc.boolean() }),
  fc.record({ kind: fc.constant('gap' as const), message: fc.nat(3), block: fc.nat(3), copy: fc.boolean() }),
)

type Drawn = { kind: 'answer' | 'prompt' | 'result' | 'gap'; message: number; block: number; copy: boolean }

const GAPS = [100, TRANSCRIPT_MARK_BYTES, TRANSCRIPT_HEAD_BYTES, MAX_OPEN_BYTES / 2]

function toClaudeLine({ kind, message, block, copy }: Drawn, at: number): string {
  const base = {
    uuid: copy ? `copy${message}` : `u${at}`,
    sessionId: 'c1',
    timestamp: '2026-01-05T10:00:00Z',
    cwd: '/w',
  }
  if (kind === 'gap') return filler(GAPS[message] ?? 0)
  if (kind === 'prompt')
    return line({ ...base, type: 'user', message: { content: `Prompt ${message} in line ${at}.` } })
  if (kind === 'result') {
    const content = [{ type: 'tool_result', tool_use_id: `call${message}-${block}`, content: `Output ${at}` }]
    return line({ ...base, type: 'user', message: { content } })
  }
  const content =
    block === 0
      ? [{ type: 'text', text: `Answer ${message}, said in ${at}.` }]
      : [{ type: 'tool_use', id: `call${message}-${block}`, name: `Tool${block}`, input: { command: `run ${at}` } }]
  return line({ ...base, type: 'assistant', message: { id: `m${message}`, content } })
}

const MESSAGES = { answer: 'assistant', prompt: 'user', result: 'toolResult', gap: '' }

function toOpenClawLine({ kind, message, block, copy }: Drawn, at: number): string {
  const base = { type: 'message', id: copy ? `copy${message}` : `u${at}`, timestamp: '2026-01-05T10:00:00Z' }
  if (kind === 'gap') return filler(GAPS[message] ?? 0)
  const text = [{ type: 'text', text: `Text ${message} of block ${block}.` }]
  if (kind === 'answer') {
    const details = { result: { content: text }, toolName: `inner${block}`, parentToolCallId: `call${message}` }
    return line({ ...base, message: { role: 'custom', customType: 'openclaw.nested-tool', details } })
  }
  return line({
    ...base,
    message: { role: MESSAGES[kind], content: text, toolName: 'outer', toolCallId: `call${message}` },
  })
}

const hosts = {
  'Claude Code': { toLine: toClaudeLine, head: () => '' },
  OpenClaw: { toLine: toOpenClawLine, head: () => header() + said('The first words.', 'first') },
}

describe.each(Object.entries(hosts))('a transcript of %s that is cut anywhere', (_, { toLine, head }) => {
  it('and read in two steps is the one that is read in one', async () => {
    const scenario = fc.record({
      records: fc.array(claudeRecord, { minLength: 1, maxLength: 160 }),
      bad: fc.array(fc.nat(160), { maxLength: 2 }),
      cuts: fc.array(fc.record({ line: fc.nat(161), bytes: fc.constantFrom(-30, -1, 0, 1, 20) }), {
        minLength: 1,
        maxLength: 3,
      }),
    })
    await fc.assert(
      fc.asyncProperty(scenario, async ({ records, bad, cuts }) => {
        const lines = records.map((record, at) => (bad.includes(at) ? 'not json\n' : toLine(record, at)))
        const bytes = Buffer.from(head() + lines.join(''))
        writeFileSync(file, bytes)
        const whole = await readOn(NOTHING).catch(() => NOTHING)
        let grown = NOTHING
        const ends = cuts
          .map(({ line: at, bytes: more }) => Buffer.byteLength(head() + lines.slice(0, at).join('')) + more)
          .map((end) => Math.max(0, Math.min(end, bytes.length)))
          .sort((a, b) => a - b)
        for (const end of [...ends, bytes.length]) {
          writeFileSync(file, bytes.subarray(0, end))
          grown = await readOn(grown).catch(() => NOTHING)
        }
        expect(documentOf(grown)).toEqual(documentOf(whole))
      }),
      { numRuns: 60 },
    )
  })
})
