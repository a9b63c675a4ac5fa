import { CORRELATION_PARTS, type CorrelationPartName, type CorrelationParts } from '../model/relationship.ts'
import { type ComparedMemory, instantOf } from './compared-memory.ts'
import { CORRELATION_WEIGHTS, MAX_REFERENCES, TEMPORAL_TAU_DAYS } from './correlation-options.ts'
import { readingOf, TextReading } from './text-reading.ts'

/** How much an entity or a term says, [0,1]: 1 for what few memories hold, near 0 for what most of them hold. */
export type Rarity = (key: string) => number

/** What is known of a pair beyond the texts. */
export interface CorrelationSignals {
  /** Cosine of the two, [−1,1]; absent where there are no vectors. */
  cosine?: number
  /** Explicit references, both ways together; absent where neither text refers to anything (`makesReferences`). */
  references?: number
  rarity?: Rarity
}

export interface CorrelationScore {
  /** [0,1] */
  score: number
  parts: CorrelationParts
}

const DAY_MS = 86_400_000

/**
 * How strongly two memories are related:
 * 0.40 cosine + 0.25 co-occurrence + 0.15 e^(−|Δt|/τ) + 0.20 references / MAX_REFERENCES (S2), each cut to [0,1].
 *
 * Co-occurrence is Jaccard's coefficient (1901) of what both name and say, weighted by rarity (Σ min / Σ max, Ruzicka), 0 for two
 * empty sets. Temporal proximity is that of two episodic memories with a date of their own; τ = 7 days.
 * The weights of parts that do not apply (no vectors, no dates, nothing named on either side, references not looked for) are
 * shared over the others in proportion, so that a score means the same for every kind of pair. Symmetric; 0 where nothing
 * applies. `parts` holds the raw values and the weights as they were used.
 */
export function correlationScore(
  a: ComparedMemory,
  b: ComparedMemory,
  signals: CorrelationSignals = {},
): CorrelationScore {
  const values: Partial<Record<CorrelationPartName, number>> = {}
  if (signals.cosine !== undefined && Number.isFinite(signals.cosine)) values.semanticSimilarity = signals.cosine
  const together = compareKeys(weighKeys(readingOf(a), signals.rarity), weighKeys(readingOf(b), signals.rarity))
  if (together !== undefined) values.coOccurrence = together
  const proximity = temporalProximity(a, b)
  if (proximity !== undefined) values.temporalProximity = proximity
  if (signals.references !== undefined) values.crossReference = signals.references / MAX_REFERENCES

  const names = CORRELATION_PARTS.filter((name) => values[name] !== undefined)
  const total = names.reduce((sum, name) => sum + CORRELATION_WEIGHTS[name], 0)
  const parts: CorrelationParts = {}
  let score = 0
  for (const name of names) {
    const value = clamp(values[name] ?? 0)
    const weight = CORRELATION_WEIGHTS[name] / total
    parts[name] = { value, weight }
    score += value * weight
  }
  return { score: clamp(score), parts }
}

/** The weighted Jaccard coefficient of two texts' entities and terms, [0,1]; undefined where neither says anything. */
export function coOccurrence(a: string, b: string, rarity?: Rarity): number | undefined {
  return compareKeys(weighKeys(new TextReading(a), rarity), weighKeys(new TextReading(b), rarity))
}

function compareKeys(first: ReadonlyMap<string, number>, second: ReadonlyMap<string, number>): number | undefined {
  if (first.size === 0 && second.size === 0) return undefined
  // In whole units, so that the sums do not depend on which text comes first.
  let [shared, all] = [0, 0]
  for (const [key, weight] of first) {
    const [left, right] = [toUnits(weight), toUnits(second.get(key) ?? 0)]
    shared += Math.min(left, right)
    all += Math.max(left, right)
  }
  for (const [key, weight] of second) if (!first.has(key)) all += toUnits(weight)
  return all === 0 ? 0 : shared / all
}

/** The entities and terms of a text with their weights; without `rarity` all of them are equally rare. */
export function weighKeys(reading: TextReading, rarity?: Rarity): ReadonlyMap<string, number> {
  if (!rarity) return reading.keys
  return new Map([...reading.keys].map(([key, weight]) => [key, weight * clamp(rarity(key))]))
}

/** Parts of a weight of 1 that are told apart. */
const UNITS = 2 ** 30

function toUnits(weight: number): number {
  return Math.round(weight * UNITS)
}

function temporalProximity(a: ComparedMemory, b: ComparedMemory): number | undefined {
  if (a.tier !== 'episodic' || b.tier !== 'episodic') return undefined
  const [first, second] = [instantOf(a), instantOf(b)]
  if (first === null || second === null) return undefined
  return Math.exp(-Math.abs(first - second) / (TEMPORAL_TAU_DAYS * DAY_MS))
}

function clamp(value: number): number {
  return Number.isNaN(value) ? 0 : Math.min(1, Math.max(0, value))
}
