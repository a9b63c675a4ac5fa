const NEGATIONS = new Set(
  (
    'not no never none nothing nobody nowhere neither nor without cannot nicht kein keine keinen keinem keiner keines nie niemals ' +
    'nichts ohne ne pas jamais sans rien nunca sin nada não nao nem sem non mai senza niet geen nooit inte ingen aldrig ikke не нет ' +
    'никогда без 不 没 沒 无 無 未 没有 ない ไม่ नहीं'
  ).split(' '),
)

/** Words in pairs: a text says the contrary with one in the place of the other. */
const WAYS = new Set(
  (
    'on off up down left right before after above below over under north south east west from into open closed opened start stop ' +
    'started stopped enable disable enabled disabled allow deny allowed denied increase decrease increased decreased add remove ' +
    'added removed accept reject accepted rejected true false buy sell bought sold must may less'
  ).split(' '),
)

/** Numbers and days that are written as words. */
const COUNTS_AND_DAYS = new Set(
  (
    'two three four five six seven eight nine ten eleven twelve twenty hundred thousand million once twice half both dozen ' +
    'yesterday today tomorrow monday tuesday wednesday thursday friday saturday sunday'
  ).split(' '),
)

/** Whether a word, in lower case, negates. */
export function isNegation(word: string): boolean {
  return NEGATIONS.has(word) || word.endsWith("n't") || word.endsWith('n’t')
}

/** Whether a word, in lower case, says which way something goes: its counterpart in its place makes another fact. */
export function saysWhichWay(word: string): boolean {
  return WAYS.has(word)
}

/** Whether a word, in lower case, is a number or a day. */
export function countsOrDates(word: string): boolean {
  return COUNTS_AND_DAYS.has(word)
}
