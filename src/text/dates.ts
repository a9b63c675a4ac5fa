/** Dates in texts and questions, in the user's zone. */
export { blankDates, findDates } from './dates/find-dates.ts'
export { parseWhen, type When, type WhenOptions } from './dates/parse-when.ts'
export { dayRange, localDay, parseInstant, timeOfDay, toIsoWithOffset } from './dates/zone.ts'
