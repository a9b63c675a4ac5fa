import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { redactSecrets } from '../src/text/redact.ts'
import { DEFAULT_DATA } from './data.ts'
import { createRandom } from './made-text.ts'
import { type Planted, plantSecrets } from './plant-secrets.ts'
import { readScannerRules } from './secret-rules.ts'

/**
 * Are secrets found, is nothing else taken for one, and how fast? Recall on secrets drawn from the rules of a scanner that is not
 * ours, false alarms on texts of agents and people, characters a second. Run: `npx tsx bench/secrets.ts`; `--rules FILE` says where
 * the scanner's rules are, `--missed` lists what escaped, `--changed` what was taken out of the data.
 */
const { values: flags } = parseArgs({
  options: {
    data: { type: 'string', default: process.env.MADELEINE_DATA ?? DEFAULT_DATA },
    rules: { type: 'string' },
    missed: { type: 'boolean', default: false },
    changed: { type: 'boolean', default: false },
  },
})

/** Secrets of a rule in each of its places. */
const ROUNDS = 3
const SEED = 20_260_201
/** A secret has escaped when so many characters of it in a row are left. */
const ESCAPED_CHARS = 8
const MARK = /\[redacted:[^\]]+\]/g
/** A text is cut into pieces of this length, as chunks are. */
const PIECE_CHARS = 2000
/** Strings that are shorter are ids and labels, not texts. */
const MIN_TEXT_CHARS = 40
const MIN_TIMED_MS = 2000

reportRecall(flags.rules ?? join(flags.data, 'gitleaks.toml'))
reportFalseAlarms(flags.data)

function reportRecall(rulesFile: string): void {
  if (!existsSync(rulesFile)) {
    console.log(`Recall: skipped, ${rulesFile} does not exist (bench/README.md says where to get it).\n`)
    return
  }
  const random = createRandom(SEED)
  const rules = readScannerRules(readFileSync(rulesFile, 'utf8'))
  const planted = rules.flatMap((rule) => plantSecrets(rule, ROUNDS, random))
  const missed = new Set(planted.filter(hasEscaped))
  console.log(
    `Recall: ${planted.length} secrets of ${rules.length} rules, ${percent(1 - missed.size / planted.length)}`,
  )
  for (const key of ['place', 'rule'] as const) {
    const rows = [...groupBy(planted, (one) => one[key])].map(([name, group]) => {
      const lost = group.filter((one) => missed.has(one)).length
      return { name, lost, recall: 1 - lost / group.length, of: group.length }
    })
    const shown = key === 'place' ? rows : rows.filter(({ lost }) => lost > 0)
    console.log(`\n  by ${key}${key === 'rule' ? `: ${rows.length - shown.length} whole, the others` : ''}`)
    for (const { name, recall, of } of shown.sort((a, b) => a.recall - b.recall))
      console.log(`  ${name.padEnd(44)} ${percent(recall)} of ${of}`)
  }
  if (flags.missed)
    for (const { rule, place, text } of missed) console.log(`  missed ${rule}, ${place}: ${JSON.stringify(text)}`)
  console.log('')
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group) group.push(item)
    else groups.set(keyOf(item), [item])
  }
  return groups
}

function hasEscaped({ text, secret }: Planted): boolean {
  const clean = redactSecrets(text).text.replace(MARK, '')
  // A name around the secret may begin as its mark does: that is no part of it.
  const around = text.replaceAll(secret, '')
  for (let at = 0; at + ESCAPED_CHARS <= secret.length; at += 1) {
    const part = secret.slice(at, at + ESCAPED_CHARS)
    if (clean.includes(part) && !around.includes(part)) return true
  }
  return clean.includes(secret)
}

function reportFalseAlarms(directory: string): void {
  if (!existsSync(directory)) {
    console.log(`False alarms: skipped, ${directory} does not exist (set MADELEINE_DATA).`)
    return
  }
  const rules = new Map<string, number>()
  let [total, changed] = [0, 0]
  const pieces: string[] = []
  for (const file of dataFiles(directory)) {
    const own = textsOf(file).flatMap(cutPieces)
    let hits = 0
    for (const piece of own) {
      const { text, found } = redactSecrets(piece)
      if (text === piece) continue
      hits += 1
      for (const [kind, count] of Object.entries(found)) rules.set(kind, (rules.get(kind) ?? 0) + count)
      if (flags.changed)
        for (const change of changesIn(piece)) console.log(`  ${file.slice(directory.length + 1)}  ${change}`)
    }
    total += own.length
    changed += hits
    for (const piece of own) pieces.push(piece)
    console.log(
      `  ${file.slice(directory.length + 1).padEnd(50)} ${String(own.length).padStart(6)} pieces ${hits} changed`,
    )
  }
  console.log(`False alarms and true finds: ${changed} of ${total} pieces changed, ${percent(changed / total)}`)
  console.log(
    `  ${[...rules]
      .sort(([, a], [, b]) => b - a)
      .map(([kind, n]) => `${kind} ${n}`)
      .join(', ')}`,
  )
  reportSpeed('pieces', pieces)
  reportSpeed('one text', [pieces.join('\n').slice(0, 8_000_000)])
}

function dataFiles(directory: string): string[] {
  return readdirSync(directory).flatMap((name) => {
    const path = join(directory, name)
    if (statSync(path).isDirectory()) return dataFiles(path)
    return /\.jsonl(?:\.gz)?$/.test(name) ? [path] : []
  })
}

/** All strings of a file of JSON lines that are long enough to be texts. */
function textsOf(file: string): string[] {
  const bytes = readFileSync(file)
  const lines = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8').split('\n')
  const texts: string[] = []
  const collect = (value: unknown): void => {
    if (typeof value === 'string') {
      if (value.length >= MIN_TEXT_CHARS) texts.push(value)
    } else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) collect(inner)
  }
  for (const line of lines) if (line.trim() !== '') collect(JSON.parse(line))
  return texts
}

function cutPieces(text: string): string[] {
  const pieces: string[] = []
  for (let from = 0; from < text.length; from += PIECE_CHARS) pieces.push(text.slice(from, from + PIECE_CHARS))
  return pieces
}

/** What was taken out, with a little of what stands around it. */
function changesIn(piece: string): string[] {
  const marks = redactSecrets(piece).text.split(/(\[redacted:[^\]]+\])/)
  let at = 0
  return marks.flatMap((part, index) => {
    if (index % 2 === 0) {
      at = piece.indexOf(part, at) + part.length
      return []
    }
    return [`${part} ${JSON.stringify(piece.slice(Math.max(0, at - 40), at + 60))}`]
  })
}

function reportSpeed(name: string, texts: readonly string[]): void {
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  let passes = 0
  const start = process.cpuUsage()
  const spentMs = (): number => {
    const { user, system } = process.cpuUsage(start)
    return (user + system) / 1000
  }
  for (; spentMs() < MIN_TIMED_MS; passes += 1) for (const text of texts) redactSecrets(text)
  console.log(`Speed, ${name}: ${((bytes * passes) / 1e3 / spentMs()).toFixed(1)} MB a second of CPU time`)
}

function percent(share: number): string {
  return `${(100 * share).toFixed(2)} %`
}
