import { STOP_WORDS } from '../stop-words.ts'
import { tokenize } from '../tokenize.ts'

/** Numbers that are counts, times, shares or dates; `tern-7`, `#8` and `v2` are names. */
const COUNTS =
  /(?<![\p{L}\p{N}#_-])[~<>≈±+−-]?\d[\d.,:/'’-]*\s?(?:%|°[CF]?|(?:ms|s|sec|min|h|d|kb|mb|gb|tb|km|kg|am|pm|x)\b)?(?![\p{L}\p{N}])/giu
/** What a link leads to is named by its path. */
const LINK = /\[\[[^\]\n]{1,200}\]\]|\]\([^)\n]{1,300}\)|https?:\/\/\S+/g
/** Words of time, in the commonest languages. */
const TIME =
  'today tomorrow yesterday monday tuesday wednesday thursday friday saturday sunday weekend january february march april may june ' +
  'july august september october november december week month year day hour minute morning afternoon evening night ' +
  'montag dienstag mittwoch donnerstag freitag samstag sonntag morgen heute gestern lundi mardi mercredi jeudi vendredi samedi ' +
  'dimanche demain lunes martes miércoles jueves viernes sábado domingo mañana utc next last soon later yet still'
/** Words of doing, which lines about different things share. */
const DOING =
  'todo fixme task item open done need want get make go also following check look able due latest ' +
  'deadline ll ve re fix resolve close complete finish ship merge release solve repair clear itself find found because since'

// Read with the first line: who only searches reads none.
let [wordsOfTime, wordsOfDoing]: Array<ReadonlySet<string> | undefined> = []

const readWords = (words: string): ReadonlySet<string> => new Set(tokenize(words).map(({ term }) => term))

/** Whether a term says only when: "tomorrow", "Friday", "next". */
export function isWordOfTime(term: string): boolean {
  wordsOfTime ??= readWords(TIME)
  return wordsOfTime.has(term)
}

function isWordOfDoing(term: string): boolean {
  wordsOfDoing ??= readWords(DOING)
  return wordsOfDoing.has(term)
}

/** Terms of one subject: the first of a line say what it is about. */
const MAX_TERMS = 14

/** The content words of a line in order, each once, without numbers and words of time. Empty where it has none. */
export function subjectOf(text: string): string[] {
  const terms = new Set<string>()
  for (const { term, kind } of tokenize(text.replace(LINK, ' ').replace(COUNTS, ' '))) {
    if (kind !== 'word' || STOP_WORDS.has(term) || /^\d+$/.test(term)) continue
    if (isWordOfTime(term) || isWordOfDoing(term)) continue
    terms.add(term)
    if (terms.size >= MAX_TERMS) break
  }
  return [...terms]
}
