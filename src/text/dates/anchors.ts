import { NUMBER_WORDS } from './words.ts'

/**
 * What a text must hold for a rule to be worth trying: nearly every prompt names no time, most of the others name it in one
 * way, and compiling the patterns of all the ways takes a short process longer than everything else that it does.
 */
export type Anchor =
  | 'digit'
  | 'month'
  | 'weekday'
  | 'unit'
  | 'clock'
  | 'named day'
  | 'part of day'
  | 'back'
  | 'ahead'
  | 'in'
  | 'which'
  | 'season'
  | 'quarter'
  | 'half'
  | 'century'
  | 'holiday'
  | 'number word'

/** English words, each in all forms of it that dates use. */
const WORDS: readonly (readonly [Anchor, string])[] = [
  [
    'month',
    'jan january feb february mar march apr april may june jun july jul aug august sep sept september oct october nov november dec december',
  ],
  [
    'weekday',
    'mon monday tue tues tuesday wed weds wednesday thu thur thurs thursday fri friday sat saturday sun sunday',
  ],
  [
    'unit',
    'day days week weeks weekend weekends fortnight fortnights month months quarter quarters year years decade decades',
  ],
  ['clock', 'hour hours hr hrs h minute minutes min mins'],
  ['named day', 'yesterday today tonight tomorrow night'],
  ['part of day', 'morning afternoon evening'],
  ['back', 'ago earlier back'],
  ['ahead', 'now later hence'],
  ['in', 'in within'],
  ['which', 'last past previous prior preceding this current next coming following upcoming'],
  ['season', 'spring summer autumn fall winter'],
  ['quarter', 'q quarter'],
  ['half', 'h half'],
  ['century', 'century'],
  ['number word', NUMBER_WORDS.join(' ')],
  ['holiday', 'christmas boxing valentine valentines patrick patricks easter halloween thanksgiving labor labour'],
]

const ANCHORS: ReadonlyMap<string, readonly Anchor[]> = byWord()

function byWord(): Map<string, Anchor[]> {
  const known = new Map<string, Anchor[]>()
  for (const [anchor, words] of WORDS)
    for (const word of words.split(' ')) known.set(word, [...(known.get(word) ?? []), anchor])
  return known
}

/** The anchors of a folded text. */
export function anchorsOf(folded: string): ReadonlySet<Anchor> {
  const found = new Set<Anchor>()
  for (const [word] of folded.matchAll(/[a-z]+|\d/g)) {
    if (/^\d/.test(word)) found.add('digit')
    else for (const anchor of ANCHORS.get(word) ?? []) found.add(anchor)
  }
  return found
}
