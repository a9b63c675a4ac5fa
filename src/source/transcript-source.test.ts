import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import zlib, { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Problem, TranscriptDocument } from '../model/document.ts'
import type { ReadResult, Source, SourceEntry } from './source.ts'
import {
  createClaudeCodeSource,
  createOpenClawSource,
  createTranscriptSource,
  type TranscriptSourceOptions,
} from './transcript-source.ts'
import { NO_ZSTD } from './zstd.ts'

let root: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'madeleine-sessions-')))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function write(name: string, content: string | Uint8Array): string {
  const file = path.join(root, name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, content)
  return file
}

let sequence = 0
const header = (id = 's1', cwd = '/not/here'): unknown => ({
  type: 'session',
  version: 3,
  id,
  timestamp: '2026-01-05T10:00:00.000Z',
  cwd,
})
const entry = (message: Record<string, unknown>, more: Record<string, unknown> = {}): unknown => ({
  type: 'message',
  id: `e${++sequence}`,
  parentId: null,
  timestamp: '2026-01-05T10:00:01.000Z',
  message,
  ...more,
})
const said = (text: string): unknown => entry({ role: 'user', content: [{ type: 'text', text }] })
const lines = (...records: unknown[]): string =>
  records.map((record) => (typeof record === 'string' ? record : JSON.stringify(record))).join('\n')
const claude = (text: string): unknown => ({
  type: 'user',
  uuid: `u${++sequence}`,
  sessionId: 'c1',
  parentUuid: null,
  timestamp: '2026-01-05T10:00:00Z',
  cwd: '/not/here',
  message: { role: 'user', content: text },
})

const open = (options: Partial<TranscriptSourceOptions> = {}): Source =>
  createTranscriptSource({ root, tenant: 'local', ...options })

async function list(source: Source = open()): Promise<{ entries: SourceEntry[]; skipped: Problem[] }> {
  const entries: SourceEntry[] = []
  const skipped: Problem[] = []
  for await (const found of source.list((problem) => skipped.push(problem))) entries.push(found)
  return { entries, skipped }
}

async function readAll(source: Source = open()): Promise<Map<string, ReadResult>> {
  const results = new Map<string, ReadResult>()
  for (const found of (await list(source)).entries) results.set(found.path, await source.read(found))
  return results
}

async function readOne(
  name: string,
  content: string | Uint8Array,
): Promise<{ document: TranscriptDocument; problems: Problem[]; omitted: Record<string, number> }> {
  write(name, content)
  const result = (await readAll()).get(`sessions/${name}`)
  if (!result || 'skipped' in result || result.document.form !== 'transcript')
    throw new Error(`no transcript: ${JSON.stringify(result)}`)
  return { document: result.document, problems: result.problems, omitted: result.omitted ?? {} }
}

/** A transcript packed with zstd; undefined where the runtime cannot. */
const packed = (zlib as { zstdCompressSync?: (text: string) => Buffer }).zstdCompressSync?.(
  lines(header(), said('buy rope')),
)

const texts = (document: TranscriptDocument): string[] => document.turns.map((turn) => turn.text)

describe('the list of transcripts', () => {
  it('holds live sessions and what a reset archived, packed or not, and says why it leaves the others out', async () => {
    const keep = [
      'a.jsonl',
      'b.jsonl.reset.2026-03-01T04-00-00Z',
      'deep/er/f.jsonl',
      'g.jsonl.gz',
      'h.jsonl.reset.2026-03-01T04-00-00Z.gz',
    ]
    const leave = [
      'c.jsonl.deleted.2026-03-02T00-00-00Z',
      'd.jsonl.bak.1',
      'e.checkpoint.0f.jsonl',
      'i.jsonl.deleted.2026.zst',
      'j.jsonl.xz',
      'README',
      'notes.txt',
    ]
    for (const name of [...keep, ...leave, 'sessions.json', 'a.jsonl.lock', 'memory/MEMORY.md', 'p/tool-results/x.txt'])
      write(name, lines(header()))
    const { entries, skipped } = await list()
    expect(entries.map((found) => found.path).sort()).toEqual(keep.map((name) => `sessions/${name}`).sort())
    expect(
      Object.fromEntries(skipped.map(({ path: where, reason }) => [where.replace('sessions/', ''), reason])),
    ).toEqual({
      'c.jsonl.deleted.2026-03-02T00-00-00Z': expect.stringMatching(/^deleted by its user .*archives: \[deleted\]/),
      'd.jsonl.bak.1': expect.stringMatching(/^backup/),
      'e.checkpoint.0f.jsonl': expect.stringMatching(/^checkpoint/),
      'i.jsonl.deleted.2026.zst': expect.stringMatching(/^deleted/),
      'j.jsonl.xz': expect.stringMatching(/not read/),
      README: expect.stringMatching(/no transcript/),
      'notes.txt': expect.stringMatching(/no transcript/),
    })
  })

  it('holds the archives that the caller asks for', async () => {
    for (const name of [
      'a.jsonl',
      'b.jsonl.reset.2026',
      'c.jsonl.deleted.2026.gz',
      'd.jsonl.bak',
      'e.checkpoint.1.jsonl',
    ])
      write(name, name.endsWith('.gz') ? gzipSync(lines(header())) : lines(header()))
    const asked = await list(open({ archives: ['deleted', 'backup'] }))
    expect(asked.entries.map((found) => found.path).sort()).toEqual([
      'sessions/a.jsonl',
      'sessions/c.jsonl.deleted.2026.gz',
      'sessions/d.jsonl.bak',
    ])
    expect(asked.skipped.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/^archive of a session that was reset .*archives: \[reset\]/),
      expect.stringMatching(/^checkpoint/),
    ])
  })

  it('holds what is packed with zstd where the runtime can unpack it, and says so where it cannot', async () => {
    write('a.jsonl.zst', packed ?? 'x')
    write('b.jsonl.reset.2026-03-01T04-00-00Z.zst', packed ?? 'x')
    const { entries, skipped } = await list()
    expect(entries.length).toBe(packed ? 2 : 0)
    expect(skipped.map(({ reason }) => reason)).toEqual(packed ? [] : [NO_ZSTD, NO_ZSTD])
    for (const entry of entries)
      expect(await open().read(entry)).toMatchObject({ document: { turns: [{ text: 'buy rope' }] } })
  })

  it('is cut to the newest when asked, and reports the rest', async () => {
    for (const [index, name] of ['old.jsonl', 'new.jsonl', 'middle.jsonl'].entries()) {
      const time = new Date(Date.UTC(2026, 0, [1, 3, 2][index]))
      utimesSync(write(name, lines(header())), time, time)
    }
    const { entries, skipped } = await list(open({ newest: 2 }))
    expect(entries.map((found) => found.path)).toEqual(['sessions/new.jsonl', 'sessions/middle.jsonl'])
    expect(skipped).toEqual([{ path: 'sessions/old.jsonl', reason: expect.stringMatching(/newest 2/) }])
  })

  it('says loudly that a newer session store stands beside it or below it', async () => {
    write('agents/main/agent/openclaw-agent.sqlite', 'x')
    write('agents/main/sessions/a.jsonl', lines(header()))
    const beside = await list(createOpenClawSource({ root: path.join(root, 'agents/main/sessions'), tenant: 'local' }))
    const below = await list()
    for (const { skipped } of [beside, below])
      expect(skipped.map(({ reason }) => reason)).toEqual([expect.stringContaining('newer session store')])
    const silent = await list(
      createOpenClawSource({ root: path.join(root, 'agents/main/missing'), tenant: 'local' }),
    ).catch((error: unknown) => error)
    expect(silent).toMatchObject({ code: 'SOURCE_UNREADABLE' })
  })
})

describe('a transcript as read', () => {
  it('is told apart by its records, file by file, whatever it is called', async () => {
    write('x.jsonl', lines(claude('buy rope')))
    write('y.jsonl', lines(header(), said('buy twine')))
    write('z.jsonl', lines({ silly: 'this' }, 42))
    write('empty.jsonl', '')
    write('hooks.jsonl', lines({ event: { prompt: 'x', messages: [] }, ctx: {} }))
    const results = await readAll()
    expect(results.get('sessions/x.jsonl')).toMatchObject({ document: { turns: [{ text: 'buy rope' }] } })
    expect(results.get('sessions/y.jsonl')).toMatchObject({ document: { turns: [{ text: 'buy twine' }] } })
    for (const name of ['z', 'empty', 'hooks'])
      expect(results.get(`sessions/${name}.jsonl`)).toEqual({ skipped: 'no transcript of a known host' })
    const onlyClaude = await readAll(createClaudeCodeSource({ root, tenant: 'local' }))
    expect(onlyClaude.get('sessions/y.jsonl')).toEqual({ skipped: expect.stringMatching(/another host/) })
  })

  it('is skipped when Madeleine wrote it', async () => {
    write('own.jsonl', lines({ origin: 'madeleine' }, header(), said('buy rope')))
    expect((await readAll()).get('sessions/own.jsonl')).toEqual({ skipped: expect.stringMatching(/Madeleine/) })
  })

  it('cites physical lines, blank lines counted', async () => {
    const records = Array.from({ length: 40 }, (_, i) => (i % 3 === 1 ? '' : said(`turn at line ${i + 2}`)))
    const { document } = await readOne('a.jsonl', lines(header(), ...records))
    for (const turn of document.turns) {
      expect(turn.startLine).toBe(turn.endLine)
      expect(turn.text).toBe(`turn at line ${turn.startLine}`)
    }
  })

  it('goes on behind a broken line and reports it; an unfinished last line is only counted', async () => {
    const broken = lines(
      header(),
      said('one thing'),
      '{"type":"message","mess',
      said('the heron nest is on pier 4'),
      '{"type":"mess',
    )
    const { document, problems, omitted } = await readOne('a.jsonl', broken)
    expect(texts(document)).toEqual(['one thing', 'the heron nest is on pier 4'])
    expect(problems).toEqual([{ path: 'sessions/a.jsonl', line: 3, reason: expect.stringMatching(/not valid JSON/) }])
    expect(omitted).toEqual({ 'last line that is still being written': 1 })
  })

  it('is found behind a broken header', async () => {
    const { document, problems } = await readOne('a.jsonl', lines('{"type":"sess', said('still here')))
    expect(texts(document)).toEqual(['still here'])
    expect(document.sessionId).toBe('a')
    expect(problems).toHaveLength(1)
  })

  it('keeps what a damaged archive still gives', async () => {
    const full = gzipSync(lines(header(), ...Array.from({ length: 3000 }, (_, i) => said(`word ${Math.sin(i)}`))))
    const { document, problems } = await readOne('a.jsonl.gz', full.subarray(0, full.length / 2))
    expect(document.turns.length).toBeGreaterThan(100)
    expect(problems.at(-1)?.reason).toMatch(/damaged/)
  })

  it('is unreadable, not empty, where nothing of a packed one can be unpacked', async () => {
    const cut = gzipSync(lines(header(), said('still here'))).subarray(0, 12)
    for (const bytes of [cut, Buffer.from('no archive at all')]) {
      await expect(readOne('a.jsonl.gz', bytes)).rejects.toMatchObject({ code: 'SOURCE_UNREADABLE' })
    }
  })

  it('belongs to the agent in its path and the project of its folder', async () => {
    write('repo/.git/HEAD', 'x')
    write('repo/deep/a.txt', 'x')
    write('agents/scout/sessions/a.jsonl', lines(header('s1', path.join(root, 'repo/deep')), said('buy rope')))
    write('b.jsonl', lines(header('s2', '/not/here'), said('buy rope')))
    const results = await readAll()
    expect(results.get('sessions/agents/scout/sessions/a.jsonl')).toMatchObject({
      document: {
        scope: { agent: 'scout', project: path.join(root, 'repo'), tenant: 'local', visibility: 'private' },
        sessionId: 's1',
      },
    })
    expect(results.get('sessions/b.jsonl')).toMatchObject({
      document: { scope: { agent: 'main', project: '/not/here' } },
    })
    const named = await readAll(open({ agent: 'other', visibility: 'team' }))
    expect(named.get('sessions/agents/scout/sessions/a.jsonl')).toMatchObject({
      document: { scope: { agent: 'other', visibility: 'team' } },
    })
  })

  it('without a working folder belongs to the workspace that is given, else to none', async () => {
    write('a.jsonl', lines(entry({ role: 'user', content: 'buy rope' })))
    expect((await readAll(open({ workspace: root }))).get('sessions/a.jsonl')).toMatchObject({
      document: { scope: { project: root } },
    })
    expect((await readAll()).get('sessions/a.jsonl')).toMatchObject({ document: { scope: { project: '' } } })
  })

  it('is dated by its first turn, else by the file', async () => {
    expect((await readOne('a.jsonl', lines(header(), said('buy rope')))).document).toMatchObject({
      date: '2026-01-05T10:00:01.000Z',
      dateOrigin: 'timestamp',
    })
    expect((await readOne('b.jsonl', lines(header()))).document).toMatchObject({ dateOrigin: 'mtime' })
  })

  it('keeps every entry of the tree once, on whichever branch it was said', async () => {
    const one = entry({ role: 'user', content: 'which rope?' }, { id: 'r' })
    const left = entry({ role: 'assistant', content: [{ type: 'text', text: 'hemp' }] }, { id: 'l', parentId: 'r' })
    const right = entry({ role: 'assistant', content: [{ type: 'text', text: 'sisal' }] }, { id: 'm', parentId: 'r' })
    const { document, omitted } = await readOne(
      'a.jsonl',
      lines(
        header(),
        one,
        left,
        one,
        right,
        { type: 'branch_summary', id: 'b', summary: 'hemp was tried' },
        { type: 'compaction', id: 'c', summary: 'rope' },
      ),
    )
    expect(texts(document)).toEqual(['which rope?', 'hemp', 'sisal'])
    expect(omitted).toEqual({ 'repeated messages': 1, 'summaries of earlier turns': 2 })
  })

  it('keeps tool output with its tool, and not the copy beside it', async () => {
    const { document } = await readOne(
      'a.jsonl',
      lines(
        header(),
        entry({
          role: 'assistant',
          content: [{ type: 'toolCall', id: 'c1', name: 'exec', arguments: { command: 'df' } }],
        }),
        entry({
          role: 'toolResult',
          toolCallId: 'c1',
          toolName: 'exec',
          content: [{ type: 'text', text: 'volume tern-7 is 93% full' }],
          details: { aggregated: 'volume tern-7 is 93% full' },
        }),
        entry({ role: 'bashExecution', command: 'ls', output: 'a.md', exitCode: 0 }),
      ),
    )
    expect(document.turns.map(({ role, tool, text, trust }) => ({ role, tool, text, trust }))).toEqual([
      { role: 'assistant', tool: undefined, text: '[tool] exec: df', trust: 'agent' },
      { role: 'tool', tool: 'exec', text: 'volume tern-7 is 93% full', trust: 'untrusted' },
      { role: 'tool', tool: 'bash', text: '$ ls\na.md', trust: 'untrusted' },
    ])
  })

  it('unwraps a call within a call, and keeps nested results once', async () => {
    const nested = (name: string, text: string, parent: string): unknown =>
      entry({
        role: 'custom',
        customType: 'openclaw.nested-tool.v1',
        content: '',
        details: { toolName: name, parentToolCallId: parent, result: { content: [{ type: 'text', text }] } },
      })
    const wrapper = { tool: { name: 'tides' }, result: { content: [{ type: 'text', text: 'low water at 6' }] } }
    const { document, omitted } = await readOne(
      'a.jsonl',
      lines(
        header(),
        entry({
          role: 'assistant',
          content: [
            { type: 'toolCall', id: 'c1', name: 'tool_call', arguments: { name: 'tides', args: { query: 'harbour' } } },
          ],
        }),
        nested('tides', 'low water at 6', 'c1'),
        entry({
          role: 'toolResult',
          toolCallId: 'c1',
          toolName: 'tool_call',
          content: [{ type: 'text', text: JSON.stringify(wrapper, null, 2) }],
          details: { tool: { name: 'tides' } },
        }),
        nested('weather', 'wind from the west', 'c9'),
        entry({ role: 'custom', customType: 'other.thing', content: 'x' }),
        entry({
          role: 'toolResult',
          toolCallId: 'c2',
          toolName: 'tool_call',
          content: [{ type: 'text', text: 'not found' }],
          details: { tool: { name: 'tides' } },
        }),
      ),
    )
    expect(document.turns.map(({ tool, text, startLine }) => [tool, text, startLine])).toEqual([
      [undefined, '[tool] tides: harbour', 2],
      ['tides', 'low water at 6', 4],
      ['weather', 'wind from the west', 5],
      ['tides', 'not found', 7],
    ])
    expect(omitted).toEqual({ 'messages of extensions': 1, 'repeated messages': 1 })
  })

  it('leaves out what memory tools returned: it is indexed where it comes from', async () => {
    const { document, omitted } = await readOne(
      'a.jsonl',
      lines(
        header(),
        ...['memory_search', 'mcp__madeleine__memory_get', 'memory_recall'].map((toolName) =>
          entry({ role: 'toolResult', toolCallId: 'c', toolName, content: [{ type: 'text', text: 'MARROW' }] }),
        ),
      ),
    )
    expect(document.turns).toEqual([])
    expect(omitted).toEqual({ 'results of memory tools': 3 })
  })

  it('knows who spoke', async () => {
    const { document } = await readOne(
      'a.jsonl',
      lines(
        header(),
        said('by the owner'),
        entry({ role: 'user', content: 'by a guest', __openclaw: { senderIsOwner: false } }),
        entry({ role: 'user', content: 'by another session', provenance: { kind: 'inter_session' } }),
        said('<<<EXTERNAL_UNTRUSTED_CONTENT id="1">>>\nby a web page\n<<<END_EXTERNAL_UNTRUSTED_CONTENT id="1">>>'),
        entry({ role: 'user', content: 'by the clock', provenance: { kind: 'internal_system' } }),
        entry({ role: 'user', content: 'by the heartbeat', provenance: { sourceTool: 'heartbeat' } }),
      ),
    )
    expect(document.turns.map(({ text, trust }) => [text, trust])).toEqual([
      ['by the owner', 'owner'],
      ['by a guest', 'untrusted'],
      ['by another session', 'agent'],
      ['by a web page', 'untrusted'],
    ])
  })

  it('holds nothing of a session of heartbeats', async () => {
    const poll =
      'Read HEARTBEAT.md if it exists (workspace context). Follow it strictly. Do not infer or repeat old tasks from prior chats. If nothing needs attention, reply HEARTBEAT_OK.'
    const turns = Array.from({ length: 50 }, () => [
      said(poll),
      entry({ role: 'assistant', content: [{ type: 'text', text: 'HEARTBEAT_OK' }] }),
    ]).flat()
    const { document, omitted } = await readOne('a.jsonl', lines(header(), ...turns))
    expect(document.turns).toEqual([])
    expect(omitted).toEqual({ 'messages that hold only machinery': 100 })
  })

  it('holds words, not pictures', async () => {
    const picture = { type: 'image', data: 'A'.repeat(400_000), mimeType: 'image/png' }
    const { document } = await readOne(
      'a.jsonl',
      lines(
        header(),
        entry({ role: 'user', content: [{ type: 'text', text: 'see the gauge' }, picture] }),
        entry({
          role: 'toolResult',
          toolName: 'camera',
          content: [picture, { type: 'text', text: `gauge reads 41 psi data:image/png;base64,${'A'.repeat(400_000)}` }],
        }),
      ),
    )
    expect(texts(document)[0]).toBe('see the gauge')
    expect(texts(document)[1]).toMatch(
      /^gauge reads 41 psi data:image\/png;base64,\[base64: 400000 characters left out]$/,
    )
  })

  it('says how many secrets and hidden characters it held', async () => {
    const { document, omitted } = await readOne(
      'a.jsonl',
      lines(header(), said(`AKIA${'Q'.repeat(16)} \u202eevoba\u202c`)),
    )
    expect(texts(document)).toEqual(['[redacted:aws-key] evoba'])
    expect(omitted).toEqual({ secrets: 1, 'hidden characters': 2 })
  })

  it('has ids that resumed copies share', async () => {
    const turns = Array.from({ length: 30 }, (_, i) => said(`turn ${i}`))
    const more = Array.from({ length: 5 }, (_, i) => said(`more ${i}`))
    write('a.jsonl', lines(header('s1'), ...turns))
    write('b.jsonl', lines(header('s2'), ...turns, ...more))
    const ids = new Set<string>()
    for (const result of (await readAll()).values()) {
      if ('document' in result && result.document.form === 'transcript')
        for (const turn of result.document.turns) ids.add(turn.id)
    }
    expect(ids.size).toBe(35)
  })

  it('never fails on any records, and cites lines of the file in order', async () => {
    const value = fc.jsonValue({ maxDepth: 3 })
    const record = fc.oneof(
      value,
      fc.record({
        type: fc.constantFrom('user', 'assistant', 'message', 'session', 'custom', 'summary', 'attachment'),
        uuid: fc.option(fc.string()),
        id: fc.option(value),
        sessionId: fc.option(value),
        timestamp: fc.option(value),
        cwd: fc.option(fc.string()),
        isMeta: fc.option(fc.boolean()),
        message: fc.oneof(
          value,
          fc.record({
            role: fc.constantFrom('user', 'assistant', 'toolResult', 'custom', 'bashExecution'),
            id: fc.option(fc.constantFrom('m1', 'm2')),
            content: fc.oneof(
              value,
              fc.array(
                fc.record({
                  type: fc.constantFrom('text', 'tool_use', 'tool_result', 'toolCall', 'image'),
                  text: value,
                  id: value,
                  name: value,
                  input: value,
                  arguments: value,
                  content: value,
                  tool_use_id: value,
                }),
              ),
            ),
            details: value,
            toolName: value,
          }),
        ),
      }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(record, { maxLength: 12 }), async (records) => {
        const content = lines(header(), ...records.map((item) => JSON.stringify(item)))
        const { document } = await readOne('any.jsonl', content)
        let last = 1
        for (const turn of document.turns) {
          expect(turn.startLine).toBeGreaterThanOrEqual(last)
          expect(turn.endLine).toBeGreaterThanOrEqual(turn.startLine)
          expect(turn.endLine).toBeLessThanOrEqual(records.length + 1)
          expect(turn.text.trim()).not.toBe('')
          last = turn.startLine
        }
        const ids = document.turns.map((turn) => turn.id)
        expect(new Set(ids).size).toBe(ids.length)
      }),
      { numRuns: 150 },
    )
  })

  it('never fails on any bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        write('any.jsonl', bytes)
        expect((await readAll()).size).toBe(1)
      }),
      { numRuns: 50 },
    )
  })
})

describe('transcripts that OpenClaw wrote', () => {
  const fixtures = new URL('./fixtures/', import.meta.url)
  const recorded = (name: string): Buffer => readFileSync(new URL(name, fixtures))

  it('2026.4.2: the recalled block is gone, failures and summaries are no talk', async () => {
    const { document, problems, omitted } = await readOne('a.jsonl', recorded('openclaw-2026.4.2.jsonl'))
    expect(texts(document).slice(0, 3)).toEqual([
      'Old host turn CALLTOOL please',
      'Let me look.\n[tool] exec: echo LESSON pgvector needs shared_preload_libraries; ls /home/user/ws',
      expect.stringMatching(/^LESSON pgvector needs shared_preload_libraries\n/),
    ])
    expect(document.turns).toHaveLength(10)
    expect(document).toMatchObject({
      sessionId: 'a77543be-8362-4b29-9b20-c00f4dfc82c9',
      scope: { project: '/home/user/ws4' },
    })
    expect(problems).toEqual([])
    expect(omitted).toEqual({ 'messages without text': 2, 'summaries of earlier turns': 3 })
  })

  it('2026.9.6: strings and blocks, wrapped calls and nested results', async () => {
    const { document, problems, omitted } = await readOne('a.jsonl', recorded('openclaw-2026.9.6.jsonl'))
    expect(document.turns.map(({ role, startLine }) => [role, startLine])).toEqual([
      ['user', 5],
      ['assistant', 6],
      ['user', 7],
      ['assistant', 8],
      ['tool', 9],
      ['assistant', 11],
      ['assistant', 15],
    ])
    expect(texts(document)).toContain('Let me look.\n[tool] memory_search: postgres decision')
    expect(problems).toEqual([])
    expect(omitted).toEqual({ 'repeated messages': 1, 'results of memory tools': 1 })
  })
})
