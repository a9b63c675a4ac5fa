import type { DayNumber } from '../calendar.ts'
import type { Holiday } from '../holidays.ts'
import type { PeriodUnit } from '../spans.ts'

export type LexiconUnit = PeriodUnit | 'half' | 'century' | 'hour' | 'minute'

/** "Three weeks". */
export interface Step {
  count: number
  unit: LexiconUnit
}

/** What a word can be in an expression of time; a word can be several things ("mañana", "vor", "segunda"). */
export interface Roles {
  number?: number
  ordinal?: number
  /** The first or second half of something. */
  half?: 1 | 2
  /** Makes an ordinal of the number before it. */
  ordinalMark?: true
  /** 1–31. */
  date?: number
  year?: number
  /** 1–12. */
  month?: number
  /** 0 Monday – 6 Sunday. */
  weekday?: number
  /** 1 Monday – 6 Saturday: a number that is a weekday behind a word for a week. */
  weekNumber?: number
  /** A short form or a word with other meanings: no weekday by itself. */
  isShort?: true
  unit?: LexiconUnit
  /** Last -1, this 0, next 1; further away by more. */
  which?: number
  /** "Yesterday", "last year" in one word. */
  period?: { unit: PeriodUnit; shift: number }
  /** Days back or ahead, as the sentence looks: one word for yesterday and tomorrow. */
  either?: number
  /** Digits that count nothing behind them. */
  isBare?: true
  steps?: readonly Step[]
  /** Of a year, as in Q3. */
  quarter?: number
  /** An exact day. */
  day?: DayNumber
  /** Day and month in digits, in this order. */
  dayAndMonth?: readonly [number, number]
  holiday?: Holiday
  /** Whether a mark such as 年 or 月 says which part of a date it is. */
  isMarked?: true
  yearMark?: true
  monthMark?: true
  dateMark?: true
  ago?: true
  ahead?: true
  from?: true
  to?: true
  between?: true
  and?: true
  since?: true
  before?: true
  after?: true
  /** The same behind what it means, in languages that put it there. */
  behind?: 'since' | 'before' | 'after' | 'until'
  /** Announces a month or year. */
  in?: true
  /** Announces a day. */
  on?: true
  early?: true
  middle?: true
  late?: true
  /** A word that is skipped: articles, "of", commas. */
  filler?: true
  /** Tells that the sentence looks ahead. */
  future?: true
}
