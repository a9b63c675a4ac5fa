import { localDay, toIsoWithOffset } from '../../text/dates.ts'

const DAY_MS = 86_400_000
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const NEAR_DAYS = 6

/** When something is, seen from now, as a person would say it: `today`, `tomorrow 14:30`, `Friday 2026-07-24`. */
export function formatWhen(
  { dueAt = '', isAllDay }: { dueAt?: string; isAllDay?: true },
  now: Date,
  timeZone: string,
): string {
  const at = new Date(dueAt)
  const day = localDay(at, timeZone)
  const time = isAllDay ? '' : ` ${toIsoWithOffset(at, timeZone).slice(11, 16)}`
  return `${nameDay(day, localDay(now, timeZone))}${time}`
}

/** A day seen from another, both `YYYY-MM-DD`. */
export function nameDay(day: string, today: string): string {
  const ahead = Math.round((Date.parse(day) - Date.parse(today)) / DAY_MS)
  if (ahead === 0) return 'today'
  if (ahead === 1) return 'tomorrow'
  if (ahead === -1) return 'yesterday'
  const weekday = WEEKDAYS[new Date(`${day}T00:00:00Z`).getUTCDay()] ?? ''
  return Math.abs(ahead) <= NEAR_DAYS ? `${weekday} ${day}` : day
}

const RELATIVE =
  /\b(?:today|tonight|tomorrow|yesterday|next week|this week|heute|morgen|gestern|demain|aujourd['’]hui|hier|mañana|hoy)\b|今天|明天|昨天|今日|明日/i

/** When a line was written, where it speaks of "tomorrow": its words count from that day. */
export function whenSaid(
  { text, occurredAt }: { text: string; occurredAt?: string },
  now: Date,
  timeZone: string,
): string {
  if (occurredAt === undefined || !RELATIVE.test(text)) return ''
  return `, noted ${nameDay(dayOf(occurredAt, timeZone), localDay(now, timeZone))}`
}

/** The beginning of a day, as a time is written of which the day alone is known, in whatever zone. */
const DAY_ALONE = /^\d{4}-\d{2}-\d{2}(?:T00:00(?::00(?:\.0+)?)?(?![:\d])|$)/

/** When something was said, seen from now: `3 hours ago`; where its day alone is known, that day: `today`, `Friday 2026-07-24`. */
export function formatSaid(occurredAt: string, now: Date, timeZone: string): string {
  if (DAY_ALONE.test(occurredAt)) return nameDay(dayOf(occurredAt, timeZone), localDay(now, timeZone))
  return formatAge(now.getTime() - Date.parse(occurredAt))
}

/** The day of a time; one that is written as a day is that day in every zone. */
export function dayOf(occurredAt: string, timeZone: string): string {
  return DAY_ALONE.test(occurredAt) ? occurredAt.slice(0, 10) : localDay(new Date(occurredAt), timeZone)
}

/** How long ago, in words: `3 hours ago`, `5 days ago`. */
export function formatAge(ms: number): string {
  const [count, unit] = ms >= DAY_MS ? [Math.floor(ms / DAY_MS), 'day'] : [Math.floor(ms / 3_600_000), 'hour']
  if (count < 1) return 'just now'
  return `${count} ${unit}${count === 1 ? '' : 's'} ago`
}
