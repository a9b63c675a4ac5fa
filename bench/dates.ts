import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import * as chrono from 'chrono-node'
import { localDay, parseWhen } from '../src/text/dates.ts'
import { readDateFreeTexts } from './date-free-texts.ts'

/**
 * How often the first day of a natural-language date is found exactly, by chrono-node alone and by parseWhen, a language a
 * row. A row counts as found when its start is one of the values that the data accept. Then how many texts that name no time
 * get a date. Run: `npx tsx bench/dates.ts`; with `--misses LANGUAGE` also what was missed, with `--false` the false dates.
 */
interface Row {
  lang: string
  text: string
  span: string
  ref: string
  type: string
  values: { start: string; end: string }[]
}

const TIME_ZONE = 'UTC'
const FREE_NOW = new Date('2026-03-04T12:00:00Z')
const folder = process.env.MADELEINE_DATA ?? '../shared/data'
const file = join(folder, 'dates-tune.jsonl.gz')

function startByChrono({ text, ref }: Row): string | undefined {
  const [first] = chrono.parse(text, { instant: new Date(`${ref}Z`), timezone: 0 })
  return first?.start.date().toISOString().slice(0, 10)
}

function startByParseWhen({ text, ref }: Row): string | undefined {
  const when = parseWhen(text, { now: new Date(`${ref}Z`), timeZone: TIME_ZONE })
  return when === null ? undefined : localDay(when.from, TIME_ZONE)
}

function isExact(row: Row, start: string | undefined): boolean {
  return row.values.some((value) => value.start.slice(0, 10) === start)
}

function mean(shares: readonly number[]): number {
  return shares.reduce((sum, share) => sum + share, 0) / shares.length
}

/** Of texts without a word of time, how many each finds a date in. */
function printFalseDates(): void {
  const texts = readDateFreeTexts(folder)
  const byChrono = texts.filter(({ text }) => chrono.parse(text, { instant: FREE_NOW, timezone: 0 }).length > 0)
  const found = texts.filter(({ text }) => parseWhen(text, { now: FREE_NOW, timeZone: TIME_ZONE }) !== null)
  console.log(
    `false dates  ${String(texts.length).padStart(4)} ${percent(byChrono.length, texts.length)}   ${percent(found.length, texts.length)}`,
  )
  if (process.argv.includes('--false')) for (const { language, text } of found) console.log(`${language}  ${text}`)
}

function percent(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(1)} %`.padStart(8)
}

if (!existsSync(file)) {
  console.log(`Skipped: ${file} is not there (set MADELEINE_DATA).`)
} else {
  const rows = gunzipSync(readFileSync(file)).toString('utf8').trim().split('\n')
  const byLanguage = new Map<string, Row[]>()
  for (const line of rows) {
    const row: Row = JSON.parse(line)
    byLanguage.set(row.lang, [...(byLanguage.get(row.lang) ?? []), row])
  }
  console.log('language     rows   chrono  parseWhen')
  const [chronoShares, shares]: [number[], number[]] = [[], []]
  for (const [language, group] of byLanguage) {
    const before = group.filter((row) => isExact(row, startByChrono(row))).length
    const after = group.filter((row) => isExact(row, startByParseWhen(row))).length
    chronoShares.push(before / group.length)
    shares.push(after / group.length)
    console.log(
      `${language.padEnd(12)} ${String(group.length).padStart(4)} ${percent(before, group.length)}   ${percent(after, group.length)}`,
    )
  }
  console.log(`mean of languages ${percent(mean(chronoShares), 1)}   ${percent(mean(shares), 1)}`)
  printFalseDates()
  const missesOf = process.argv[process.argv.indexOf('--misses') + 1]
  if (process.argv.includes('--misses')) {
    for (const row of byLanguage.get(missesOf ?? '') ?? []) {
      const start = startByParseWhen(row)
      if (!isExact(row, start))
        console.log(
          [
            row.type,
            row.ref.slice(0, 10),
            row.text,
            `→ ${start}`,
            row.values.map((value) => value.start).join(' | '),
          ].join('  '),
        )
    }
  }
}
