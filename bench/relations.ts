import { parseArgs } from 'node:util'
import { classifyRelationship, type PairOrigin } from '../src/correlation/classify-relationship.ts'
import type { ComparedMemory } from '../src/correlation/compared-memory.ts'
import { gatherEvidence } from '../src/correlation/gather-evidence.ts'
import { estimateMean } from '../src/evaluation/metrics.ts'
import { countsOrDates, isNegation } from '../src/text/fact-words.ts'
import { openCachedProvider } from './bundled-cache.ts'
import { DEFAULT_DATA, loadSet } from './data.ts'
import { averagePrecision, bestF1, type Judged, judgeLabels, type Verdict } from './judge-labels.ts'
import { type LabelledPair, listUpdateCases, loadPairs, type MessagePair, pickPairs } from './relation-pairs.ts'
import type { CachedProvider } from './vector-cache.ts'
import { bestCosine } from './vectors.ts'

const HELP = `npx tsx bench/relations.ts [OPTIONS]

Which pairs of texts contradict each other, support each other, or do neither? Judges what classifyRelationship says of labelled
pairs, beside a rule that looks for a negation or a number and beside a constant answer.

  --source NAME   only this source of pairs
  --vectors       with the bundled model's cosine (made once, then kept in bench/.cache)
  --data DIR      (default ${DEFAULT_DATA})
  --help`

/** Random pairs a history of which nobody says that they contradict each other. */
const NEUTRAL_PAIRS = 100
const HISTORIES = ['beam', 'locomo'] as const

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      source: { type: 'string' },
      vectors: { type: 'boolean', default: false },
      data: { type: 'string', default: process.env.MADELEINE_DATA ?? DEFAULT_DATA },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return console.log(HELP)
  const provider = values.vectors ? openCachedProvider() : undefined
  try {
    await judgePairs(values.data, values.source, provider)
    if (values.source === undefined) for (const name of HISTORIES) judgeHistories(name, values.data)
  } finally {
    await provider?.close()
  }
}

async function judgePairs(
  data: string,
  source: string | undefined,
  provider: CachedProvider | undefined,
): Promise<void> {
  const pairs = loadPairs(data)
  if ('absent' in pairs) {
    console.log(`Skipped: ${pairs.absent}`)
    return
  }
  console.log(
    'P, R, F1 in %; AP: average precision of contradict and update; chance: their share; best F1: with the threshold that suits the source best, in hindsight; found F1: as for pairs that were found among many. Rule: a negation or number in one text alone.',
  )
  console.log(
    `${'source'.padEnd(19)}pairs | contradict P    R   F1   AP best F1 found F1 | rule F1   AP | always F1 chance | support P   R   F1 | neutral P   R   F1 | ms a pair`,
  )
  for (const src of [...new Set(pairs.map((pair) => pair.src))].sort()) {
    if (source !== undefined && src !== source) continue
    const rows = pairs.filter((pair) => pair.src === src)
    const cosines = await listCosines(rows, provider)
    const started = performance.now()
    const judgeAll = (isAsked: boolean): Judged[] =>
      rows.map((row, at) => ({ label: row.label, ...judge(row.a, row.b, { isAsked }, cosines?.[at]) }))
    const asked = judgeAll(true)
    const ms = (performance.now() - started) / rows.length
    console.log(formatRow(src, rows, { asked, found: judgeAll(false) }, ms))
  }
}

/** What the engine says of two texts of which nothing else is known but how they came together. */
function judge(a: string, b: string, origin: PairOrigin, cosine?: number): Verdict {
  const [first, second] = [toMemory('a', a), toMemory('b', b)]
  const evidence = gatherEvidence(first, second, cosine === undefined ? {} : { cosine })
  const types = [classifyRelationship(first, second, evidence, origin)?.type]
  const verdict = types.includes('contradicts') ? 'contradict' : types.includes('supports') ? 'entail' : 'neutral'
  return { verdict, strength: evidence.conflict?.strength ?? 0 }
}

function toMemory(id: string, text: string): ComparedMemory {
  return { id, text, tier: 'semantic', headerPath: [], place: { root: '', path: `${id}.md`, position: 0 } }
}

/** The rule that has to be beaten: one text negates, or has a number, and the other does not. */
function judgeByRule({ a, b }: LabelledPair): Verdict {
  const read = (text: string): string => {
    const words = text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}]+)*/gu) ?? []
    const negations = words.filter(isNegation).length
    return `${negations % 2} ${words
      .filter((word) => /\p{N}/u.test(word) || countsOrDates(word))
      .sort()
      .join(' ')}`
  }
  const isDifferent = read(a) !== read(b)
  return { verdict: isDifferent ? 'contradict' : 'neutral', strength: isDifferent ? 1 : 0 }
}

async function listCosines(
  rows: readonly LabelledPair[],
  provider: CachedProvider | undefined,
): Promise<number[] | undefined> {
  if (!provider) return undefined
  const texts = [...new Set(rows.flatMap(({ a, b }) => [a, b]))]
  const vectors = new Map<string, Float32Array[]>()
  for (let from = 0; from < texts.length; from += provider.batchSize) {
    const batch = texts.slice(from, from + provider.batchSize)
    const windows = await provider.embedDocuments(batch)
    batch.forEach((text, index) => {
      vectors.set(text, windows[index] ?? [])
    })
  }
  return rows.map(({ a, b }) =>
    Math.max(-1, ...(vectors.get(a) ?? []).map((window) => bestCosine(window, vectors.get(b) ?? []))),
  )
}

function formatRow(
  src: string,
  rows: readonly LabelledPair[],
  { asked: judged, found }: Record<'asked' | 'found', readonly Judged[]>,
  ms: number,
): string {
  const rule = rows.map((row): Judged => ({ label: row.label, ...judgeByRule(row) }))
  const always = rows.map(({ label }): Judged => ({ label, verdict: 'contradict', strength: 1 }))
  const [ours, asFound, ruled, constant] = [judged, found, rule, always].map((list) =>
    judgeLabels(list, ['contradict', 'update'], 'contradict'),
  )
  const [support, neutral] = [judgeLabels(judged, ['entail'], 'entail'), judgeLabels(judged, ['neutral'], 'neutral')]
  const percent = (value: number | undefined): string =>
    (value === undefined ? '–' : (100 * value).toFixed(0)).padStart(5)
  const three = (scores: ReturnType<typeof judgeLabels>): string =>
    percent(scores?.precision) + percent(scores?.recall) + percent(scores?.f1)
  const share = rows.filter(({ label }) => label === 'contradict' || label === 'update').length / rows.length
  return [
    `${src.padEnd(19)}${String(rows.length).padStart(5)}`,
    `      ${three(ours)}${percent(averagePrecision(judged))}   ${percent(bestF1(judged))}     ${percent(asFound?.f1)}`,
    `  ${percent(ruled?.f1)}${percent(averagePrecision(rule))}`,
    `    ${percent(constant?.f1)}  ${percent(share)}`,
    `   ${three(support)}`,
    `   ${three(neutral)}`,
    ` ${ms.toFixed(1)}`,
  ].join(' |')
}

/** Updates among random pairs of their own history, and how many pairs that nobody calls a contradiction are taken for one. */
function judgeHistories(name: (typeof HISTORIES)[number], data: string): void {
  const set = loadSet(name, data)
  if ('absent' in set) {
    console.log(`Skipped: ${set.absent}`)
    return
  }
  const strengthOf = ({ older, newer }: MessagePair): number =>
    judge(older.text, newer.text, { isAsked: false }).strength
  const cases = listUpdateCases(set).map(({ update, others }) => [
    { isRight: true, strength: strengthOf(update) },
    ...others.map((pair) => ({ isRight: false, strength: strengthOf(pair) })),
  ])
  if (cases.length > 0) {
    const { mean, standardError = 0, count } = estimateMean(cases.map(averagePrecisionOf))
    const chance = estimateMean(cases.map(({ length }) => 1 / length)).mean
    console.log(
      `${set.title}: ${count} updates, each among random pairs of its history: AP ${mean.toFixed(3)} ± ${standardError.toFixed(3)} (a tie counts against it; share ${chance.toFixed(3)})`,
    )
  }
  const neutral = set.haystacks.flatMap(({ id, messages }) =>
    pickPairs(
      name === 'beam' ? messages.filter(({ role }) => role === 'user') : messages,
      NEUTRAL_PAIRS,
      `neutral ${id}`,
    ),
  )
  const wrong = neutral.filter(
    ({ older, newer }) => judge(older.text, newer.text, { isAsked: false }).verdict === 'contradict',
  )
  const same = neutral.filter(
    ({ older, newer }) =>
      judgeByRule({ a: older.text, b: newer.text, src: '', lang: '', label: 'neutral' }).verdict === 'contradict',
  )
  const share = (list: readonly unknown[]): string => `${((100 * list.length) / neutral.length).toFixed(1)} %`
  console.log(
    `${set.title}: of ${neutral.length} random pairs of one history ${share(wrong)} are called contradictions (rule: ${share(same)})`,
  )
}

function averagePrecisionOf(list: readonly { isRight: boolean; strength: number }[]): number {
  return (
    averagePrecision(
      list.map(({ isRight, strength }) => ({ label: isRight ? 'update' : 'neutral', verdict: 'neutral', strength })),
    ) ?? 0
  )
}

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
