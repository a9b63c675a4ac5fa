import { utimesSync } from 'node:fs'
import { expect, it } from 'vitest'
import { createFakeProvider } from '../../src/testing/index.ts'
import { describeOverStores, head, user, useWorkspace } from './workspace.ts'

const here = useWorkspace()

describeOverStores(here, 'yesterday', () => {
  it.each([
    ['America/Los_Angeles', '2026-03-02'],
    ['UTC', '2026-03-03'],
    ['Pacific/Auckland', '2026-03-03'],
  ])('is the day before today in %s: %s', async (timeZone, day) => {
    for (const date of ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04'])
      here.note(`memory/${date}.md`, `# Load\n\nBarrel count of the day: ${Number(date.slice(-2)) * 11}.\n`)
    for (const embedding of ['none', createFakeProvider()]) {
      const memory = await here.openIndexed({ embedding, timeZone, at: '2026-03-04T02:30:00Z' })
      const { results, dateMatch } = await memory.search('barrel count yesterday', { explain: true })
      expect(results[0]?.path).toBe(`memory/${day}.md`)
      expect(dateMatch).toBe(true)
      const boosted = results.filter(({ boosts }) => boosts?.some(({ name }) => name === 'time'))
      expect(boosted.map(({ path }) => path)).toEqual([`memory/${day}.md`])
      const recalled = await memory.recall({ prompt: 'what was the barrel count yesterday?' })
      expect(recalled.items[0]?.path).toBe(`memory/${day}.md`)
    }
  })

  it('holds the messages of that day in the zone of the user, and no others', async () => {
    here.session('night.jsonl', [
      head('night'),
      user('The barrel count was 10.', { at: '2026-03-02T07:59:00Z' }),
      user('The barrel count was 20.', { at: '2026-03-02T08:00:00Z' }),
      user('The barrel count was 30.', { at: '2026-03-03T07:59:59Z' }),
      user('The barrel count was 40.', { at: '2026-03-03T08:00:00Z' }),
    ])
    const memory = await here.openIndexed({ timeZone: 'America/Los_Angeles', at: '2026-03-04T02:30:00Z' })
    const { results } = await memory.search('barrel count yesterday', { explain: true })
    const boosted = results.filter(({ boosts }) => boosts?.some(({ name }) => name === 'time'))
    expect(boosted.map(({ snippet }) => snippet.slice(-3)).sort()).toEqual(['20.', '30.'])
    expect(results.slice(0, 2)).toEqual(boosted)
    const range = await memory.search('barrel count', { after: '2026-03-02', before: '2026-03-03' })
    expect(range.results.map(({ snippet }) => snippet.slice(-3)).sort()).toEqual(['20.', '30.'])
  })
})

describeOverStores(here, 'a reader in another zone than the one that the notes were indexed in', () => {
  const NOW = '2030-03-04T02:30:00Z'

  it('finds the notes of the days of their own calendar', async () => {
    for (const date of ['2030-03-01', '2030-03-02', '2030-03-03', '2030-03-04'])
      here.note(`memory/${date}.md`, `# Load\n\nBarrel count of the day: ${Number(date.slice(-2)) * 11}.\n`)
    await here.openIndexed({ timeZone: 'UTC', at: NOW })
    const away = await here.open({ timeZone: 'America/Los_Angeles', at: NOW })
    for (const question of ['barrel count yesterday', 'what happened yesterday']) {
      const { results, dateMatch } = await away.search(question, { explain: true })
      expect(results[0]?.path).toBe('memory/2030-03-02.md')
      expect(dateMatch).toBe(true)
      const ofTime = results.filter(({ boosts }) => boosts?.some(({ name }) => name === 'time'))
      expect(ofTime.map(({ path }) => path)).toEqual(['memory/2030-03-02.md'])
    }
  })

  it('has the days begin where they are once they index, without a text embedded again', async () => {
    here.note('memory/2030-03-03.md', '# Load\n\nBarrel count of the day: 33.\n')
    const embedding = createFakeProvider()
    await here.openIndexed({ embedding, timeZone: 'UTC', at: NOW })
    const away = await here.open({ embedding, timeZone: 'America/Los_Angeles', at: NOW })
    expect(await away.index()).toMatchObject({ documents: { changed: 1 }, embedded: 0 })
    expect(await away.index()).toMatchObject({ documents: { changed: 0 }, embedded: 0 })
    const range = { after: '2030-03-02', before: '2030-03-03' }
    expect((await away.search('barrel count', range)).results).toEqual([])
    const next = { after: '2030-03-03', before: '2030-03-04' }
    expect((await away.search('barrel count', next)).results).toHaveLength(1)
  })
})

describeOverStores(here, 'a question that names nothing but a day', () => {
  const openMay = async (): ReturnType<typeof here.openIndexed> => {
    const topics = ['mooring', 'invoice', 'varnish', 'rota', 'gauge', 'paint']
    for (const day of [20, 21, 22, 23, 24, 25])
      here.note(
        `memory/2026-05-${day}.md`,
        topics.map((topic, n) => `## ${topic} ${day}\n\nThe ${topic} took ${n + day} minutes.\n`).join('\n'),
      )
    return here.openIndexed({ embedding: createFakeProvider() })
  }

  it.each(['what happened on May 23', 'what did we do on 2026-05-23?', 'notes of 23 May 2026'])(
    '%s: gets that day, in order',
    async (query) => {
      const memory = await openMay()
      const { results, dateMatch } = await memory.search(query)
      expect(dateMatch).toBe(true)
      expect(results.map(({ path }) => path)).toEqual(Array.from({ length: 6 }, () => 'memory/2026-05-23.md'))
      expect(results.map(({ startLine }) => startLine)).toEqual([1, 5, 9, 13, 17, 21])
    },
  )

  it('gets nothing for a day on which nothing was written, and is told so', async () => {
    const memory = await openMay()
    expect(await memory.search('what happened on May 26')).toMatchObject({ results: [], dateMatch: false })
    expect(await memory.recall({ prompt: 'what happened on May 26?' })).toMatchObject({ text: '', items: [] })
    const { results, dateMatch } = await memory.search('mooring on May 26')
    expect(dateMatch).toBe(false)
    for (const { boosts } of results) expect(boosts ?? []).toEqual([])
  })
})

describeOverStores(here, 'words that only look like a date', () => {
  it.each([
    'you may open the march hare file',
    'the cat sat on node 18.2.1',
    'second attempt at 10-4',
    'we may repaint',
    'ship the 4.2.7 build',
  ])('are words: %s', async (query) => {
    here.note(
      'memory/2026-05-08.md',
      '# Day\n\nThe march hare file was opened; the cat sat on the build; second attempt to repaint and ship.\n',
    )
    const memory = await here.openIndexed()
    const { results, dateMatch } = await memory.search(query, { explain: true })
    expect(dateMatch).toBeUndefined()
    expect(results[0]?.boosts?.map(({ name }) => name)).not.toContain('time')
  })
})

describeOverStores(here, 'age', () => {
  it('takes a little from notes that their name dates, and nothing from others, however old the files', async () => {
    const text = '# Gate\n\nThe gate torque is 40 Nm.\n'
    const dated = ['memory/2026-01-05.md', 'memory/reports/2026-01-05.md', 'memory/2026-01-05-1830-gate.md']
    const undated = ['memory/gate.md', 'MEMORY.md', 'memory/2026-02-30.md']
    const old = new Date('2024-01-01T00:00:00Z')
    for (const [n, path] of [...dated, ...undated].entries())
      utimesSync(here.note(path, text.replace('40', `${40 + n}`)), old, old)
    const memory = await here.openIndexed()
    const { results } = await memory.search('gate torque', { explain: true, limit: 20 })
    const ageOf = (path: string): number =>
      results.find((hit) => hit.path === path)?.boosts?.find(({ name }) => name === 'age')?.factor ?? 1
    expect(results).toHaveLength(6)
    expect(new Set(dated.map(ageOf)).size).toBe(1)
    expect(ageOf('memory/2026-01-05.md')).toBeLessThan(1)
    expect(undated.map(ageOf)).toEqual([1, 1, 1])
  })
})
