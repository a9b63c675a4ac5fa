import { MadeleineError } from '../../../errors.ts'
import { isHoliday } from '../holidays.ts'
import type { PeriodUnit } from '../spans.ts'
import type { LexiconUnit, Roles } from './roles.ts'

/** The words of a language by what they can be in an expression of time. */
export interface Lexicon {
  words: ReadonlyMap<string, Roles>
  /** Endings that a word may have beside the forms that are listed. */
  endings: ReadonlySet<string>
  /** Beginnings that are written together with a word. */
  beginnings: readonly string[]
  /** Whether dates have marks (日), without which a number is none. */
  hasMarks: boolean
  /** Characters of the longest entry. */
  longest: number
}

/** Lists that count from a number on. */
const COUNTED: Readonly<Record<string, readonly ['number' | 'ordinal' | 'month' | 'weekday', number]>> = {
  numbers: ['number', 1],
  ordinals: ['ordinal', 1],
  months: ['month', 1],
  weekdays: ['weekday', 0],
  'short weekdays': ['weekday', 0],
}

/**
 * Reads a word list. A line is a role, a colon and words in lower case; `_` is a space within an entry. Counted lists ("months")
 * take one place a value, its forms parted by `/`, `-` for none. The roles: `day -1`, `week 1` (periods), `unit week`,
 * `which -1`, `number 20`, `ordinal 20`, `holiday easter`, and the words of Roles that are only there or not.
 */
export function readLexicon(source: string): Lexicon {
  const words = new Map<string, Roles>()
  const endings = new Set<string>()
  const beginnings: string[] = []
  for (const line of source.split('\n').filter((one) => one.trim() !== '')) {
    const colon = line.indexOf(':')
    const role = line.slice(0, colon).trim()
    const entries = line
      .slice(colon + 1)
      .trim()
      .split(/\s+/)
    if (role === 'endings') for (const entry of entries) endings.add(entry)
    else if (role === 'beginnings') beginnings.push(...entries)
    else
      for (const [entry, roles] of entriesOf(role, entries)) {
        const known = words.get(entry)
        words.set(entry, known === undefined ? roles : { ...known, ...roles })
      }
  }
  return {
    words,
    endings,
    beginnings,
    hasMarks: [...words.values()].some(({ dateMark }) => dateMark),
    longest: Math.max(...[...words.keys()].map((word) => word.length)),
  }
}

function entriesOf(role: string, entries: readonly string[]): [string, Roles][] {
  const counted = COUNTED[role]
  const withForms = entries.map((entry) => entry.split('/').map((form) => form.replaceAll('_', ' ')))
  if (counted === undefined) {
    const roles = rolesOf(role)
    return withForms.flat().map((form) => [form, roles])
  }
  const [kind, first] = counted
  return withForms.flatMap((forms, i) => {
    const roles: Roles = { [kind]: first + i, ...(role === 'short weekdays' && { isShort: true }) }
    return forms.filter((form) => form !== '-').map((form): [string, Roles] => [form, roles])
  })
}

const FLAGS: readonly (keyof Roles)[] = [
  'ordinalMark',
  'yearMark',
  'monthMark',
  'dateMark',
  'ago',
  'ahead',
  'from',
  'to',
  'between',
  'and',
  'since',
  'before',
  'after',
  'in',
  'on',
  'early',
  'middle',
  'late',
  'filler',
  'future',
]

function rolesOf(role: string): Roles {
  const [kind = '', value = ''] = role.split(' ')
  if (kind === 'unit') return { unit: value as LexiconUnit }
  if (kind === 'which') return { which: Number(value) }
  if (kind === 'number') return { number: Number(value) }
  if (kind === 'ordinal') return { ordinal: Number(value) }
  if (kind === 'holiday' && isHoliday(value)) return { holiday: value }
  if (kind === 'either') return { either: Number(value) }
  if (kind === 'half') return { half: value === '1' ? 1 : 2 }
  if (kind === 'behind') return { behind: value as Exclude<Roles['behind'], undefined> }
  if (value !== '') return { period: { unit: kind as PeriodUnit, shift: Number(value) } }
  const flag = FLAGS.find((one) => one === kind)
  if (flag === undefined)
    throw new MadeleineError('INVALID_OPTION', `Cannot read a word list: "${role}" is no role.`, {
      remedy: 'Use one of the roles of lexicon/roles.ts.',
    })
  return { [flag]: true }
}
