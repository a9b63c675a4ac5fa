import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type JsonLine, openJsonLines, parseJsonLines, splitLines } from './read-json-lines.ts'

async function* blocks(text: string | Buffer, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function parse(text: string | Buffer, { size = 7, max = 1000 } = {}): Promise<JsonLine[]> {
  return collect(parseJsonLines(blocks(text, size), max))
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

describe('parseJsonLines', () => {
  it('counts physical lines, blank ones too', async () => {
    expect(await parse('{"a":1}\n\n  \n{"a":2}\n')).toEqual([
      { line: 1, value: { a: 1 } },
      { line: 4, value: { a: 2 } },
    ])
  })

  it('splits at line feeds only: other separators are legal inside JSON', async () => {
    const record = { text: 'left\u2028right\u2029 kestrel\u0085end' }
    expect(await parse(`${JSON.stringify(record)}\n`)).toEqual([{ line: 1, value: record }])
  })

  it('reads lines that end as Windows ends them, and a byte order mark', async () => {
    expect(await parse('\ufeff{"a":1}\r\n{"a":2}\r\n')).toEqual([
      { line: 1, value: { a: 1 } },
      { line: 2, value: { a: 2 } },
    ])
  })

  it('goes on behind a bad line and says which it was, without quoting it', async () => {
    const [first, bad, last] = await parse('{"a":1}\n{"type":"message","mess\n{"a":3}\n')
    expect([first, last]).toEqual([
      { line: 1, value: { a: 1 } },
      { line: 3, value: { a: 3 } },
    ])
    expect(bad).toEqual({ line: 2, problem: expect.stringMatching(/^line is not valid JSON/) })
    const [secret] = await parse('{"key": hunter2}\n')
    expect(JSON.stringify(secret)).not.toContain('hunter2')
  })

  it('takes an unfinished last line for one that is being written, a finished one for a record', async () => {
    expect(await parse('{"a":1}\n{"a"')).toEqual([
      { line: 1, value: { a: 1 } },
      { line: 2, unfinished: true },
    ])
    expect(await parse('{"a":1}\n{"a":2}')).toEqual([
      { line: 1, value: { a: 1 } },
      { line: 2, value: { a: 2 } },
    ])
  })

  it('reads over a line that is too long', async () => {
    const long = JSON.stringify({ text: 'x'.repeat(2000) })
    expect(await parse(`${long}\n{"a":2}\n`)).toEqual([
      { line: 1, problem: expect.stringMatching(/^line is larger than/) },
      { line: 2, value: { a: 2 } },
    ])
  })

  it('gives the same lines however the bytes come in', async () => {
    const content = fc.array(fc.oneof(fc.json(), fc.string(), fc.constant('')), { maxLength: 10 })
    await fc.assert(
      fc.asyncProperty(content, fc.integer({ min: 1, max: 40 }), async (lines, size) => {
        const text = lines.join('\n')
        expect(await parse(text, { size })).toEqual(await parse(text, { size: 1e6 }))
      }),
    )
  })

  it('never fails, and numbers lines upwards within the file, for any bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), async (bytes) => {
        const lines = await parse(Buffer.from(bytes))
        const numbers = lines.map(({ line }) => line)
        expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b))
        expect(Math.max(0, ...numbers)).toBeLessThanOrEqual(Buffer.from(bytes).toString('latin1').split('\n').length)
      }),
    )
  })
})

describe('splitLines', () => {
  it('holds nothing of a line above the limit, however long it grows', async () => {
    const collectGarbage = garbageCollector()
    const held = (): number => {
      collectGarbage()
      return process.memoryUsage().arrayBuffers
    }
    let most = 0
    async function* endless(): AsyncGenerator<Buffer> {
      for (let i = 0; i < 100; i++) {
        yield Buffer.alloc(1 << 20, 120)
        if (i % 10 === 9) most = Math.max(most, held())
      }
    }
    const before = held()
    const lines = await collect(splitLines(endless(), 1 << 20))
    expect(lines).toEqual([{ line: 1, bytes: undefined, ended: false, characters: 100 << 20 }])
    expect(most - before).toBeLessThan(16 << 20)
  })
})

/** What is held can only be told from what is waiting to be collected once it has been collected. */
function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc')
}

describe('openJsonLines', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'madeleine-jsonl-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it.each(['a.jsonl', 'a.jsonl.gz', 'a.jsonl.reset.2026-03-01T04-00-00Z.gz'])(
    'reads %s and hashes its bytes',
    async (name) => {
      const text = '{"a":1}\n{"a":2}\n'
      const bytes = name.endsWith('.gz') ? gzipSync(text) : Buffer.from(text)
      writeFileSync(path.join(folder, name), bytes)
      const file = openJsonLines(path.join(folder, name), 1000)
      expect(await collect(file.lines)).toEqual([
        { line: 1, value: { a: 1 } },
        { line: 2, value: { a: 2 } },
      ])
      expect(file.contentHash()).toBe(createHash('sha256').update(bytes).digest('hex'))
    },
  )

  it('rejects with SOURCE_UNREADABLE where there is no file', async () => {
    for (const name of ['none.jsonl', 'none.jsonl.gz']) {
      const file = openJsonLines(path.join(folder, name), 1000)
      await expect(collect(file.lines)).rejects.toMatchObject({ code: 'SOURCE_UNREADABLE' })
    }
  })
})
