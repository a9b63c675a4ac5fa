import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Cue } from '../../model/cue.ts'
import { type CuedContent, findCues } from './find-cues.ts'

interface Bullet {
  line: string
  kind: 'deadline' | 'schedule' | null
  dueAt?: string
  cron?: string
}

/** Tuesday. */
const SAID = { at: new Date('2026-03-10T00:00:00+01:00'), timeZone: 'Europe/Zurich', path: 'memory/2026-03-10.md' }
const GOLD = new URL('../../../test/promises/heartbeat-gold/bullets.jsonl', import.meta.url)
const BULLETS = readFileSync(GOLD, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Bullet)
/** Of the 40 that are to be told. */
const LEAST_TOLD = 38

/** What a line of a day's note says of a time. */
function readTimed(text: string): Cue[] {
  const cues = findCues({ text, headerPath: [], trust: 'owner', tier: 'episodic' }, SAID)
  return cues.filter(({ dueAt, cron }) => dueAt !== undefined || cron !== undefined)
}

describe('items of a list that end with a time', () => {
  it('are told by what time, or when they come again, where they order something or name a routine', () => {
    const told = BULLETS.filter(({ line, kind, dueAt, cron }) => {
      const [cue] = readTimed(line)
      return kind !== null && cue?.kind === kind && cue.cron === cron && cue.dueAt?.slice(0, 16) === dueAt
    })
    expect(told.length).toBeGreaterThanOrEqual(LEAST_TOLD)
  })

  it.each(BULLETS.filter(({ kind }) => kind === null))('say nothing where they only tell: $line', ({ line }) => {
    expect(readTimed(line)).toEqual([])
  })

  it('are no orders in a sentence, in what an agent says, or in a question', () => {
    expect(readTimed('Send the quote to Odile by 17:00')).toEqual([])
    expect(readTimed('Standup notes every Monday at 10:00')).toEqual([])
    expect(readTimed('- Send the quote to Odile by 17:00?')).toEqual([])
    const said: CuedContent = { text: '- Send the quote by 17:00', headerPath: [], trust: 'owner', tier: 'episodic' }
    expect(findCues({ ...said, role: 'assistant' }, SAID)).toEqual([])
  })
})
