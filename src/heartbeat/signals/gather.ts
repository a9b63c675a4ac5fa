import type { NotedCue } from '../../model/cue.ts'
import { readClock } from '../../text/cues/due.ts'
import { subjectOf } from '../../text/cues/subject.ts'
import { PENDING } from '../heartbeat-options.ts'
import { isOtherTask } from './other-task.ts'
import type { Settlement } from './settlement.ts'

/** Lines that are compared with each other: the first ones, of which a tick tells a dozen. Those after them stand alone. */
const GATHERED = 80

/** What is to be done, as against what is wrong, watched or asked: of that, a new number is news of the same matter. */
function isTask({ kind }: NotedCue): boolean {
  return kind === 'task' || kind === 'plan' || kind === 'deadline' || kind === 'appointment'
}

/**
 * Lines about the same thing together, in the order given, and of each the one first that was said last; `isPair` may keep two of them
 * apart. What stands over a line says what it is about too.
 */
export function gather(
  cues: readonly NotedCue[],
  { share }: Settlement,
  isPair: (a: NotedCue, b: NotedCue) => boolean = () => true,
): Array<[NotedCue, ...NotedCue[]]> {
  const groups: Array<{ about: { subject: string[] }; list: [NotedCue, ...NotedCue[]] }> = []
  for (const cue of cues.slice(0, GATHERED)) {
    const about = { subject: [...new Set([...cue.subject, ...subjectOf(cue.heading ?? '')])] }
    const isAlike = ({ about: other, list: [first] }: (typeof groups)[number]): boolean =>
      share(about, other) >= PENDING.share ||
      share(other, about) >= PENDING.share ||
      share(cue, other) >= PENDING.whole ||
      share(first, about) >= PENDING.whole
    const group = groups.find(
      (one) =>
        isPair(one.list[0], cue) &&
        isAlike(one) &&
        !(isTask(cue) && isTask(one.list[0]) && isOtherTask(one.list[0].text, cue.text)),
    )
    if (group) group.list.push(cue)
    else groups.push({ about, list: [cue] })
  }
  const alone = cues.slice(GATHERED).map((cue): [NotedCue] => [cue])
  return [...groups.map(({ list }) => newestBefore(list)), ...alone]
}

/** With the line before the others that was said last, of those of the first one's kind. */
function newestBefore(list: readonly [NotedCue, ...NotedCue[]]): [NotedCue, ...NotedCue[]] {
  const newest = list.reduce((best, cue) => (cue.kind === best.kind && isSaidAfter(cue, best) ? cue : best))
  return [newest, ...list.filter((cue) => cue !== newest)]
}

function isSaidAfter(cue: NotedCue, other: NotedCue): boolean {
  const [at, otherAt] = [saidMs(cue), saidMs(other)]
  if (at !== otherAt) return at > otherAt
  // A reading of a day has its time; that of a task is when it is due.
  const [clock, otherClock] = isTask(cue) ? [null, null] : [readClock(cue.text), readClock(other.text)]
  if (clock !== null && otherClock !== null && clock !== otherClock) return clock > otherClock
  // Cues of one memory come in the order of its lines.
  return cue.memoryId === other.memoryId
}

function saidMs({ occurredAt }: NotedCue): number {
  return occurredAt === undefined ? Number.NEGATIVE_INFINITY : Date.parse(occurredAt)
}
