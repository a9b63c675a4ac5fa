import type { SalienceItem, SalienceOptions, SalienceReport } from '../model/heartbeat.ts'
import type { Viewer } from '../model/search.ts'
import { createGapLog } from '../retrieval/gap-log.ts'
import type { MemoryStore, Vital } from '../store/memory-store.ts'
import { subjectOf } from '../text/cues/subject.ts'
import { localDay } from '../text/dates.ts'
import { SALIENCE } from './heartbeat-options.ts'
import { dayOf, formatAge, nameDay } from './signals/format-when.ts'

const DAY_MS = 86_400_000

export interface SalienceParts {
  store: MemoryStore
  viewer: Viewer
  now: Date
  timeZone: string
}

/** A query that found nothing, and what it was about. */
interface Missed {
  query: string
  subject: string[]
}

/**
 * Notes that matter and fade, most salient first, with questions about the first of them. Salience is importance × staleness: importance
 * goes by the kind of file, and rises with size, references to it, and searches for it that found nothing; what is read often needs no
 * reminder. Staleness is what the forgetting curve of its tier has taken. Changes nothing; looks at SALIENCE.looked notes at most.
 */
export async function reportSalience(
  { store, viewer, now, timeZone }: SalienceParts,
  { limit = SALIENCE.limit }: Pick<SalienceOptions, 'limit'> = {},
): Promise<SalienceReport> {
  const filter = { viewer, category: 'memory' as const }
  const vitals = await store.listVitals({ filter, at: now, limit: SALIENCE.looked })
  const missed = (await createGapLog(store).list(viewer))
    .filter(({ at }) => Date.parse(at) <= now.getTime())
    .map(({ query }): Missed => ({ query, subject: subjectOf(query) }))
  const weighed = vitals
    .filter(({ occurredAt }) => occurredAt !== undefined && Date.parse(occurredAt) <= now.getTime())
    .map((vital) => weigh(vital, missed, now))
    .filter(({ item }) => item.salience >= SALIENCE.least)
    .sort((a, b) => b.item.salience - a.item.salience || (a.item.id < b.item.id ? -1 : 1))
  const shown = spread(weighed).slice(0, limit)
  return {
    timestamp: now.toISOString(),
    items: shown.map(({ item }) => item),
    prompts: shown.slice(0, SALIENCE.prompts).map((one) => ask(one, now, timeZone)),
    totalItems: weighed.length,
  }
}

interface Weighed {
  item: SalienceItem
  vital: Vital
  gap?: string
}

function weigh(vital: Vital, missed: readonly Missed[], now: Date): Weighed {
  const { id, path, header, tier, size, accessCount, incoming, strength } = vital
  const gap = missed.find(({ subject }) => bearsOn(subject, vital))?.query
  const read = readingsNow(vital, now)
  const importance = clamp(
    vital.importance +
      Math.min(SALIENCE.maxSizeRaise, size / SALIENCE.sizeChars) +
      (gap === undefined ? 0 : SALIENCE.gapRaise) -
      Math.min(SALIENCE.maxReadFall, SALIENCE.readFall * read),
  )
  const staleness = clamp(1 - strength)
  const reasons = [
    describeKind(vital),
    ...(vital.lastAccess === undefined
      ? ['never read']
      : [`read ${formatAge(now.getTime() - Date.parse(vital.lastAccess))}`]),
    ...(incoming > 0 ? [`${incoming} ${incoming === 1 ? 'memory refers' : 'memories refer'} to it`] : []),
    ...(gap === undefined ? [] : ['asked for and not found']),
  ]
  const item: SalienceItem = {
    ...{ id, path, header, tier, accesses: accessCount, reasons },
    importance: round(importance),
    staleness: round(staleness),
    salience: round(importance * staleness),
  }
  return { item, vital, ...(gap !== undefined && { gap }) }
}

/** How often it was read, old readings counting less: one that is as old as the half-life counts half. */
function readingsNow({ accessCount, lastAccess }: Vital, now: Date): number {
  if (lastAccess === undefined) return 0
  const days = Math.max(0, now.getTime() - Date.parse(lastAccess)) / DAY_MS
  return accessCount * 2 ** (-days / SALIENCE.readHalfLifeDays)
}

/** A search bears on a note when most of what it is about stands in the note's name or headings. */
function bearsOn(subject: readonly string[], { path, header }: Vital): boolean {
  const names = new Set(subjectOf(`${path.replace(/\.\w+$/, '').replace(/[-_/]/g, ' ')} ${header}`))
  const shared = subject.filter((term) => names.has(term)).length
  return shared > 0 && shared / subject.length >= SALIENCE.gapShare
}

function describeKind({ tier, path }: Vital): string {
  if (path.startsWith('remembered/')) return 'remembered'
  if (tier === 'procedural') return 'how something is done'
  return tier === 'semantic' ? 'what holds for long' : 'what happened'
}

/** At most so many sections of one file: what fades in one file fades together. */
function spread(weighed: readonly Weighed[]): Weighed[] {
  const counts = new Map<string, number>()
  return weighed.filter(({ item: { path } }) => {
    const count = (counts.get(path) ?? 0) + 1
    counts.set(path, count)
    return count <= SALIENCE.perFile
  })
}

/** A question for self-reflection. */
function ask({ item, vital, gap }: Weighed, now: Date, timeZone: string): string {
  const name = item.header === '' ? item.path : `“${item.header}” (${item.path})`
  const day = dayOf(vital.occurredAt ?? now.toISOString(), timeZone)
  const since = `of ${nameDay(day, localDay(now, timeZone))}`
  if (gap !== undefined) return `“${gap}” was asked for and not found: does ${name} need a line about it?`
  if (item.tier === 'procedural') return `Does ${name}, ${since}, still work as it is written?`
  if (item.tier === 'semantic') return `Is ${name}, ${since}, still so?`
  return `What came of ${name}, ${since}, and does it belong in a note that stays?`
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value))
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}
