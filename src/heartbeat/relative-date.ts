import { localDay } from '../text/dates.ts'
import { dayOf } from './signals/format-when.ts'

const DAY_MS = 86_400_000
/** Up to so many days are told as days, up to so many as weeks, up to so many as months. */
const UNITS = [
  { most: 13, days: 1, name: 'day' },
  { most: 59, days: 7, name: 'week' },
  { most: 729, days: 30.44, name: 'month' },
  { most: Number.POSITIVE_INFINITY, days: 365.25, name: 'year' },
] as const

/** How long ago an instant is, by days of the zone: `today`, `2 days ago`, `3 weeks ago`, `in 4 days`; `undated` where it is none. */
export function describeRelativeDate(
  instant: string | undefined,
  { now, timeZone }: { now: Date; timeZone: string },
): string {
  const at = Date.parse(instant ?? '')
  if (Number.isNaN(at)) return 'undated'
  const days = Math.round((dayNumber(localDay(now, timeZone)) - dayNumber(dayOf(instant ?? '', timeZone))) / DAY_MS)
  if (days === 0) return 'today'
  const distance = Math.abs(days)
  const unit = UNITS.find(({ most }) => distance <= most) ?? UNITS[0]
  const count = Math.max(1, Math.round(distance / unit.days))
  const words = `${count} ${unit.name}${count === 1 ? '' : 's'}`
  return days > 0 ? `${words} ago` : `in ${words}`
}

function dayNumber(day: string): number {
  return Date.parse(`${day}T00:00:00Z`)
}
