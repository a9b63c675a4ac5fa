import type { NotedCue } from '../../model/cue.ts'

/** Whether the line had been written at the time of the tick: a tick may be asked for as of an earlier day. */
export function wasSaid({ occurredAt }: Pick<NotedCue, 'occurredAt'>, now: Date): boolean {
  return occurredAt === undefined || Date.parse(occurredAt) <= now.getTime()
}

/** How long ago the line was written, ms; null when nothing dates it. */
export function ageOf({ occurredAt }: Pick<NotedCue, 'occurredAt'>, now: Date): number | null {
  return occurredAt === undefined ? null : now.getTime() - Date.parse(occurredAt)
}
