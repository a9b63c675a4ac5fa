import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { SearchResponse } from '../../src/index.ts'
import { createFakeProvider } from '../../src/testing/index.ts'
import { agent, describeOverStores, head, printed, providerByCosine, user, useWorkspace } from './workspace.ts'

const here = useWorkspace()
const paths = ({ results }: SearchResponse): string[] => results.map(({ path }) => path)

describeOverStores(here, 'an exact name', () => {
  it('finds its own line before lines that differ in one digit', async () => {
    here.note('memory/orders.md', '# Orders\n\n## Pump\n\nPO-2093: the bilge pump, 12 litres.\n')
    for (const number of ['2092', '2094', '2039', '293'])
      here.note(
        `memory/other-${number}.md`,
        `# Orders\n\n## Pump\n\nPO-${number}: the bilge pump, again the bilge pump.\n`,
      )
    // Of one form, a day apart: the newer entry is another one, not an update.
    for (let day = 1; day <= 6; day++)
      here.note(`memory/2026-04-0${day}.md`, `# Day\n\nTicket T-${70 + day}: the ferry pump was checked by Mara.\n`)
    for (const embedding of ['none', createFakeProvider()]) {
      const memory = await here.openIndexed({ embedding })
      for (const [query, text] of [
        ['PO-2093', '12 litres'],
        ['po-2093', '12 litres'],
        ['what was PO-2093 for?', '12 litres'],
        ['T-72', 'T-72'],
        ['ferry pump ticket T-72', 'T-72'],
      ] as const) {
        const { results } = await memory.search(query)
        expect(results[0]?.snippet, query).toContain(text)
      }
    }
  })

  it.each([
    ['e5-small multi-vector', 'We compared e5-small with a multi-vector index.'],
    ['out-of-band', 'Alerts go out-of-band when the link is down.'],
    ['src/pump.ts:41', 'The crash is in src/pump.ts:41, a stale handle.'],
    ['v2.11.3', 'Fixed since v2.11.3 of the driver.'],
    ['@mara', 'Ask @mara about the rota.'],
    ['C++', 'The firmware is C++ and must stay so.'],
    ['flush_queue()', 'Never call flush_queue() from the timer.'],
  ])('with punctuation is found: %s', async (query, text) => {
    here.note('memory/named.md', `# Named\n\n${text}\n`)
    here.note('memory/other.md', '# Other\n\nThe winch was painted green before the launch of the band.\n')
    const memory = await here.openIndexed()
    for (const mode of ['keyword', 'hybrid'] as const)
      expect(paths(await memory.search(query, { mode }))[0]).toBe('memory/named.md')
  })

  it('that only its words can find stands first, with a model that sees no likeness and in an old note', async () => {
    const line = 'The parcel locker opens with QX31-BRILL.'
    here.note('memory/locker.md', `# Locker\n\n${line}\n`)
    here.note('memory/2025-01-20.md', `# Locker\n\nThat week: ${line}\n`)
    for (let n = 0; n < 30; n++)
      here.note(`memory/filler-${n}.md`, `# Day ${n}\n\nNothing but weather and rope, part ${n}.\n`)
    const memory = await here.openIndexed({ embedding: providerByCosine((text) => (text.includes('QX31') ? 0 : 0.2)) })
    const { results } = await memory.search('QX31-BRILL')
    expect(results.slice(0, 2).map(({ path }) => path)).toEqual(['memory/locker.md', 'memory/2025-01-20.md'])
    const recalled = await memory.recall({ prompt: 'what is QX31-BRILL?' })
    expect(recalled.items[0]?.path).toBe('memory/locker.md')
  })

  it('is the same in composed and decomposed spelling: in texts, in file names and in questions', async () => {
    const spelled = 'memory/cafe\u0301.md'
    here.note(spelled, '# Depot\n\nThe Mu\u0308nchen depot keeps the spare keys.\n')
    const memory = await here.openIndexed()
    for (const form of ['NFC', 'NFD'] as const) {
      for (const query of ['München', 'café']) {
        const { results } = await memory.search(query.normalize(form))
        expect(
          results.map(({ path }) => path),
          `${query} ${form}`,
        ).toEqual([spelled])
      }
    }
    expect(existsSync(join(here.notes, spelled))).toBe(true)
    expect((await memory.status()).documents).toBe(1)
  })

  it('may be the name of something in JavaScript', async () => {
    const names = ['constructor', 'hasOwnProperty', '__proto__', 'toString', 'valueOf']
    here.note('memory/names.md', `# Names\n\nThe parser met ${names.join(', ')} and a jackdaw.\n`)
    const memory = await here.openIndexed({ embedding: createFakeProvider() })
    await memory.remember('The otter gate is called __proto__ by the crew.', { id: '__proto__' })
    for (const name of [...names, 'jackdaw']) {
      const { results } = await memory.search(name, { mode: 'keyword' })
      expect(
        results.map(({ path }) => path),
        name,
      ).toContain('memory/names.md')
    }
    expect((await memory.get('__proto__')).text).toContain('otter gate')
    expect(Object.keys(Object.prototype)).toEqual([])
  })
})

describeOverStores(here, 'a question', () => {
  it('with apostrophes, quotes and operators is text, and finds what it names', async () => {
    here.note('memory/oven.md', "# Oven\n\nThe oven can't be lit below 4 bar; code:E7 means that the valve is shut.\n")
    const memory = await here.openIndexed({ embedding: createFakeProvider() })
    for (const mode of ['keyword', 'hybrid'] as const) {
      for (const query of ["can't be lit", 'why "oven', 'code:E7', 'oven* AND (NOT', 'oven"valve', "d'oven"]) {
        const { results } = await memory.search(query, { mode })
        expect(
          results.map(({ path }) => path),
          `${mode} ${query}`,
        ).toEqual(query === "d'oven" ? results.map(({ path }) => path) : ['memory/oven.md'])
      }
    }
    expect((await memory.search('lichen"moss', { mode: 'keyword' })).results).toEqual([])
  })

  it('of any characters at all is answered', async () => {
    here.note('memory/oven.md', '# Oven\n\nThe oven is lit at 4 bar.\n')
    const memory = await here.openIndexed()
    const special = fc.constantFrom(
      '"',
      "'",
      ':',
      '-',
      '*',
      '(',
      ')',
      '^',
      '\0',
      '{',
      '%',
      '_',
      '\\',
      '\ud800',
      'oven',
      'NEAR',
      ' ',
    )
    const query = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.array(special, { maxLength: 12 }).map((parts) => parts.join('')),
    )
    await fc.assert(
      fc.asyncProperty(query, async (text) => {
        const { results } = await memory.search(text)
        for (const { score } of results) expect(score).toSatisfy((value: number) => value >= 0 && value <= 1)
        expect((await memory.recall({ prompt: text })).degraded).toEqual([])
      }),
      { numRuns: 60 },
    )
  })

  it.each([
    ['每晚两点备份数据库，结果写进日志。', ['备份', '数据库', '备份成功了吗']],
    ['东边的水泵漏水，阀门已经换了。', ['泵', '漏', '水泵']],
    ['물탱크 밸브를 바꿨다.', ['물', '밸브']],
    ['水門は毎朝六時に開きます。', ['水門', '毎朝', '水門はいつ開く？']],
    ['ระบบสำรองข้อมูลทำงานทุกคืน', ['สำรอง', 'ข้อมูล']],
    ['수문은 매일 아침 여섯 시에 열린다.', ['수문', '수문이 열렸나?', '아침']],
    ['端口9443留给网关。', ['端口9443', '9443', '网关']],
    ['Шлюз открывается в шесть утра.', ['шлюз', 'УТРА']],
  ])('in any script is found by its words: %s', async (text, queries) => {
    here.note('memory/found.md', `# A\n\n${text}\n`)
    here.note('memory/other.md', '# B\n\n天气很好。今日は晴れ。 The weather is fine. Погода.\n')
    const memory = await here.openIndexed()
    for (const query of queries)
      expect(paths(await memory.search(query, { mode: 'keyword' })), query).toEqual(['memory/found.md'])
  })

  it('that names folders and years is answered by what notes say, not by where they lie', async () => {
    here.note('memory/drip.md', '# Seal\n\nThe hull drip was stopped with wax.\n')
    for (let n = 1; n <= 28; n++)
      here.note(`memory/2026-05-${String(n).padStart(2, '0')}.md`, `# Log\n\nCalm sea, part ${n}.\n`)
    const memory = await here.openIndexed()
    const { results } = await memory.search('the memory of the drip in the 2026 notes', { explain: true, limit: 20 })
    expect(results[0]?.path).toBe('memory/drip.md')
    for (const { path, signals } of results.slice(1)) expect(signals?.filepath, path).toBe(0)
  })
})

describeOverStores(here, 'notes and talk', () => {
  it('share the first places: a note among two hundred messages on its topic is in the first three', async () => {
    here.note('memory/port.md', '# Port\n\nThe port office listens on channel 14.\n')
    here.session('busy.jsonl', [
      head('busy'),
      ...Array.from({ length: 200 }, (_, n) =>
        user(`Message ${n}: the port office channel was loud again, the port is full of ships.`),
      ),
    ])
    for (const embedding of ['none', createFakeProvider()]) {
      const memory = await here.openIndexed({ embedding })
      const all = await memory.search('port office channel')
      expect(paths(all).slice(0, 3)).toContain('memory/port.md')
      expect(paths(await memory.search('port office channel', { source: 'memory' }))).toEqual(['memory/port.md'])
      const talk = await memory.search('port office channel', { source: 'sessions' })
      expect(new Set(paths(talk))).toEqual(new Set(['sessions/busy.jsonl']))
      expect(talk.results).toHaveLength(8)
    }
  })

  it('are all found: what a tool printed too, behind what was said of the same', async () => {
    here.session('disk.jsonl', [
      head('disk'),
      user('Look at the disks.'),
      printed('df', 'volume kite-3 is 91 percent full, gull-2 is 4 percent full'),
      agent('Noted, I will watch it.'),
      user('Thank you, that was all.'),
      user('Then the other thing, the boat.'),
      user('So volume kite-3 is 91 percent full, gull-4 is 6 percent full?'),
    ])
    const memory = await here.openIndexed()
    for (const name of ['kite-3 percent', 'gull-2'])
      expect((await memory.search(name, { source: 'sessions' })).results).toContainEqual(
        expect.objectContaining({ role: 'tool', tool: 'df', startLine: 3 }),
      )
    expect((await memory.search('gull-2', { source: 'sessions' })).results[0]).toMatchObject({ role: 'tool' })
    expect((await memory.search('volume kite-3 full')).results.slice(0, 2).map(({ role }) => role)).toEqual([
      'user',
      'tool',
    ])
  })

  it('of a long message say in every piece who spoke, and never mix two messages', async () => {
    const paragraph = (word: string): string =>
      `${Array.from({ length: 70 }, (_, n) => `Trip ${n}: the ${word} went along the coast and back.`).join(' ')}\n\n`
    here.session('boats.jsonl', [
      head('boats'),
      user(`${paragraph('dinghy')}${paragraph('ferry')}${paragraph('barge')}I sold the green kayak.`),
      agent('I would keep the yellow one.'),
    ])
    const memory = await here.openIndexed()
    expect((await memory.search('green kayak')).results[0]).toMatchObject({ role: 'user', startLine: 2, endLine: 2 })
    const { results } = await memory.search('coast kayak yellow', { limit: 50 })
    expect(results.length).toBeGreaterThan(5)
    for (const { role, startLine, snippet } of results) {
      expect(role).toBe(startLine === 2 ? 'user' : 'assistant')
      expect(snippet.includes('yellow')).toBe(startLine === 3)
    }
  })

  it('cite the line of the file, and that line can be read', async () => {
    const lines = Array.from({ length: 38 }, (_, n) => (n % 7 === 3 ? '' : user(`Small talk number ${n}.`)))
    lines[29] = user('The cormorant sits on\nbuoy 2.')
    here.session('birds.jsonl', [head('birds'), ...lines])
    const memory = await here.openIndexed()
    const [hit] = (await memory.search('cormorant buoy')).results
    expect(hit).toMatchObject({ path: 'sessions/birds.jsonl', startLine: 31, endLine: 31 })
    const read = await memory.get('sessions/birds.jsonl', { from: 31, lines: 1 })
    expect(read.text).toBe('The cormorant sits on\nbuoy 2.')
    expect(await memory.get(join(here.sessions, 'birds.jsonl'), { from: 31, lines: 1 })).toEqual(read)
  })
})

describeOverStores(here, 'the first five results', () => {
  it('hold one copy of a pasted paragraph, two pieces of a section at most, and other notes', async () => {
    const pasted = `The furnace must be bled before the first frost, or air collects in the upper loop and the pump runs dry within the hour. `
    const section = Array.from(
      { length: 4 },
      (_, n) => `${`Furnace care, step ${n}: open the furnace, wait, close the furnace. `.repeat(26)}`,
    )
    here.note('memory/care.md', `# Care\n\n## Furnace\n\n${section.join('\n\n')}\n`)
    here.note('memory/2026-05-02.md', `# Log\n\n${pasted}We did it early.\n`)
    here.note('memory/2026-05-09.md', `# Log\n\n${pasted}It was late this time.\n`)
    for (const name of ['cellar', 'invoice', 'tenant'])
      here.note(`memory/${name}.md`, `# ${name}\n\nThe furnace is named in the ${name} file.\n`)
    const memory = await here.openIndexed({ embedding: createFakeProvider({ dimensions: 512 }) })
    const { results } = await memory.search('furnace', { limit: 5 })
    expect(results).toHaveLength(5)
    expect(results.filter(({ snippet }) => snippet.includes('upper loop')).length).toBeLessThanOrEqual(1)
    expect(results.filter(({ path }) => path === 'memory/care.md').length).toBeLessThanOrEqual(2)
    expect(new Set(paths({ results } as SearchResponse)).size).toBeGreaterThanOrEqual(3)
  })

  it('keep different facts behind one template apart', async () => {
    const template = (name: string, code: string): string =>
      `The following entry was copied from the register of the harbour without any change by the clerk on duty. ${name} has berth ${code}.`
    here.note('memory/a.md', `# A\n\n${template('Ada', 'N7')}\n`)
    here.note('memory/b.md', `# B\n\n${template('Bo', 'S2')}\n`)
    const memory = await here.openIndexed()
    expect(paths(await memory.search('register harbour berth')).sort()).toEqual(['memory/a.md', 'memory/b.md'])
  })

  it('show the newer of two statements above the older, whichever holds more of the words', async () => {
    here.note(
      'memory/2026-01-02.md',
      '# Gate\n\nThe gate word is MARROW. Remember the gate word: MARROW. Gate word MARROW.\n',
    )
    here.note('memory/2026-02-10.md', '# Gate\n\nCorrection: the gate word is now TEASEL.\n')
    for (const embedding of ['none', createFakeProvider()]) {
      const memory = await here.openIndexed({ embedding })
      const { results } = await memory.search('what is the gate word?')
      expect(results.map(({ path }) => path)).toEqual(['memory/2026-02-10.md', 'memory/2026-01-02.md'])
      expect((await memory.recall({ prompt: 'what is the gate word?' })).items[0]?.text).toContain('TEASEL')
    }
  })
})

describeOverStores(here, 'what is remembered', () => {
  it('twice is remembered once, and under an id of its own only once', async () => {
    const memory = await here.openIndexed({ embedding: createFakeProvider() })
    const first = await memory.remember('The anchor is blue.', { occurredAt: '2026-01-01' })
    expect(await memory.remember('The anchor is blue.', { occurredAt: '2026-01-01' })).toEqual(first)
    expect((await memory.search('anchor')).results).toHaveLength(1)
    await memory.forget(first.id)
    expect(await memory.remember('The anchor is blue.', { occurredAt: '2026-01-01' })).toEqual(first)
    expect((await memory.search('anchor')).results).toHaveLength(1)
    await memory.remember('The chain is red.', { id: 'chain' })
    await expect(memory.remember('The chain is red.', { id: 'chain' })).rejects.toMatchObject({
      code: 'ALREADY_EXISTS',
    })
  })
})

describeOverStores(here, 'a table', () => {
  it('shows its column names with any of its rows, and cites the row', async () => {
    const rows = Array.from({ length: 120 }, (_, n) =>
      n === 96 ? '| gasket R4 | 52C | 8 |' : `| bolt ${n} | 1A | ${n} |`,
    )
    here.note('memory/stock.md', `# Stock\n\n| Article | Shelf | Amount |\n|---|---|---|\n${rows.join('\n')}\n`)
    const memory = await here.openIndexed()
    const [hit] = (await memory.search('gasket R4')).results
    expect(hit?.snippet).toContain('gasket R4')
    expect(hit?.snippet).toMatch(/Article.*Shelf.*Amount/)
    expect(hit?.startLine).toBeLessThanOrEqual(101)
    expect(hit?.endLine).toBeGreaterThanOrEqual(101)
    const { text } = await memory.recall({ prompt: 'on which shelf is gasket R4?' })
    expect(text).toContain('| Article | Shelf | Amount |')
    expect(text).toContain('| gasket R4 | 52C | 8 |')
  })
})
