import type { TextUnit } from './read-units.ts'

/**
 * Items of a list that say what to do by a time, or what comes again at one, without any word of duty: "Send the quote by 17:00", "Standup notes every
 * Monday at 10:00". A time at their end alone says nothing ("Guests gone by 17:00"), so that they have to begin with an order, or to name
 * what people hold regularly. English alone; rather silent than wrong (`test/promises/heartbeat-gold`).
 */
type Item = Pick<TextUnit, 'plain' | 'isItem'>

const VERBS =
  'send|call|ring|pay|order|return|book|sign|upload|reply|answer|pick|submit|confirm|email|mail|text|cancel|renew|ship|hand|review|print|fix|' +
  'finish|prepare|file|deliver|drop|bring|collect|fetch|write|draft|post|publish|register|apply|update|check|clean|water|feed|lock|charge|repair|' +
  'replace|install|deploy|merge|restart|back|buy|get|take|turn|put|move|invite|remind|tell|ask|schedule|inspect|rotate|empty|refill|wash|walk'
/** An order names what is to be done with what: "Call volume doubles" and "Order book full" do not. */
const OBJECT = String.raw`(?:the|an?|all|both|each|my|our|his|her|their|its?|them|him|this|these|that|those|back|off|out|up|in|to|on|with|for)(?![\p{L}])|\p{Lu}`
const ORDER = new RegExp(String.raw`^\W*(?:[Pp]lease )?(?:${inEitherCase(VERBS)}) (?:${OBJECT})`, 'u')
const CLOCK = String.raw`(?:noon|midday|(?:[01]?\d|2[0-3]):[0-5]\d(?: ?[ap]\.?m\.?)?|(?:1[0-2]|[1-9]) ?[ap]\.?m\.?)`
/** Nothing follows but what stands in brackets or behind a comma. */
const END = String.raw`(?: (?:today|tomorrow|sharp|at the latest))? ?\W*(?:$|[,;(–—])`
const BY_CLOCK = new RegExp(String.raw`(?<![\p{L}])by ${CLOCK}(?![\p{L}\d:])${END}`, 'iu')

const DAYS = `(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|weekday|workday|working day|day|morning|evening|night)`
const COMES_AGAIN = new RegExp(
  String.raw`^\W*(?<what>\S.{0,60}?)[:,–—-]? (?:(?:every|each) ${DAYS}(?:(?:,| and|, and) ${DAYS})*|daily) at ${CLOCK}(?![\p{L}\d:])${END}`,
  'iu',
)
const ROUTINES =
  'stand-?up|meeting|sync|retro|retrospective|review|report|backup|check|check-in|payroll|newsletter|digest|office hours|practice|rehearsal|class|' +
  'lesson|training|pick-?up|delivery|shift|maintenance|rotation|call|planning|round|inspection|run|demo|yoga|inventory|huddle|all-hands|briefing|one-on-one'
/** In the plural many of them are also what somebody does: "Odile calls every Monday". */
const PLURALS = 'stand-?ups|meetings|notes|reports|backups|checks|calls|reviews|rounds|runs|lessons|classes|shifts'
const WITH = '(?: (?:of|with|for|in|at|to) .+)?$'
const IS_ROUTINE = new RegExp(
  String.raw`^(?:.+[ -])?(?:${inEitherCase(ROUTINES)})${WITH}|^(?:.+ \p{Ll}+ |(?:.+ )?(?:${inEitherCase(`${ROUTINES}|daily|weekly|monthly`)}) )?(?:${inEitherCase(PLURALS)})${WITH}`,
  'u',
)
/** Who begins so tells of somebody or something. */
const TELLS =
  /^\W*(?:the|an?|i|you|we|he|she|it|they|my|your|our|his|her|its|their|this|that|these|those|there|not?)(?![\p{L}])/iu
const AND_SOMEBODY = /\band \p{Lu}/u

/** Whether it is an order that ends with the time by which it is to be done. */
export function isOrderByTime({ plain, isItem }: Item): boolean {
  return isItem && BY_CLOCK.test(plain) && ORDER.test(plain)
}

/** Whether it is an order, or a thing that people hold regularly, and the days and the time at which it comes again. */
export function isTimedRoutine({ plain, isItem }: Item): boolean {
  const what = isItem ? COMES_AGAIN.exec(plain)?.groups?.what : undefined
  if (what === undefined) return false
  return ORDER.test(plain) || (!TELLS.test(what) && !AND_SOMEBODY.test(what) && IS_ROUTINE.test(what))
}

/** The words of a list with a capital too: the case of all else tells names from words. */
function inEitherCase(list: string): string {
  return list.replace(/(?<![^|])\p{Ll}/gu, (letter) => `[${letter}${letter.toUpperCase()}]`)
}
