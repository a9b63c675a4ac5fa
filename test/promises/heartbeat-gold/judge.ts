import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Memory } from '../../../src/model/memory.ts'

/** A place in the sample: a whole file, or what of it holds the text. */
export interface GoldPlace {
  path: string
  contains?: string
}

interface GoldText {
  id: string
  signal: string
  now: string
}

/** A signal about the sample workspace. */
export interface SampleSignal extends GoldText {
  as: 'note'
  answers: GoldPlace[]
  related: GoldPlace[]
}

/** A signal about a history of a published set: answers are ids of its messages, or ranges of them. */
export interface HistorySignal extends GoldText {
  dataset: 'beam' | 'locomo'
  history: string
  answers: string[]
  related: string[]
}

export type GoldSignal = SampleSignal | HistorySignal

export function readSignals(): GoldSignal[] {
  const lines = readFileSync(join(import.meta.dirname, 'signals.jsonl'), 'utf8')
    .split('\n')
    .filter(Boolean)
  return lines.map((line) => JSON.parse(line) as GoldSignal)
}

export function isOfSample(signal: GoldSignal): signal is SampleSignal {
  return 'as' in signal
}

/** Whether a memory overlaps one of the places; `siblings` are the memories of its document. */
export function standsAt(
  places: readonly GoldPlace[],
  { path, memory, siblings }: { path: string; memory: Memory; siblings: readonly Memory[] },
): boolean {
  return places.some((place) => {
    const isOfFile = place.path === path || (path.startsWith('sessions/') && basename(place.path) === basename(path))
    const { contains } = place
    if (!isOfFile || contains === undefined) return isOfFile
    const holds = (one: Memory): boolean => [one.text, ...one.headerPath].some((text) => text.includes(contains))
    const section = JSON.stringify(memory.headerPath)
    const isSection = memory.headerPath.length > 0
    return (
      holds(memory) || (isSection && siblings.some((one) => JSON.stringify(one.headerPath) === section && holds(one)))
    )
  })
}

/** Whether a message is one of those that are named by id or range (`80-81`, `D2:8-17`). */
export function isMessageOf(names: readonly string[], id: string): boolean {
  return names.some((name) => {
    const [, session = '', from, to = from] = /^(D\d+:)?(\d+)(?:-(\d+))?$/.exec(name) ?? []
    const [, own = '', number] = /^(D\d+:)?(\d+)$/.exec(id) ?? []
    return session === own && Number(number) >= Number(from) && Number(number) <= Number(to)
  })
}
