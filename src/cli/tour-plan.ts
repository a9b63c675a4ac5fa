import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Madeleine, RecallRequest } from '../index.ts'
import { detectSources, findNotes } from './detect-sources.ts'
import { defaultCacheFolder } from './paths.ts'
import type { Surroundings } from './surroundings.ts'
import { cleanLine } from './terminal-text.ts'

/** What a first look works on: folders, a store of its own, and the time it is. */
export interface TourPlan {
  isSample: boolean
  workspaces: string[]
  transcripts: string[]
  /** Apart from the user's store, which a first look must not touch. */
  store: string
  now?: string
  timeZone?: string
  newestTranscripts?: number
  /** What the folders hold, in words. */
  title: string
}

/** One thing a user might say, and why it is asked here. */
export interface TourPrompt {
  request: RecallRequest
  note: string
}

/** Enough to meet one's own past, and done in a minute or so. */
const NEWEST_TRANSCRIPTS = 200
const OFF_TOPIC = 'Write a haiku about autumn leaves'

const SAMPLE_PROMPTS: readonly TourPrompt[] = [
  {
    request: { prompt: 'Postgres on petrel refuses writes and the log directory is huge' },
    note: 'it happened before, three months ago',
  },
  {
    request: { prompt: 'What will a new harbour pay a month from September?' },
    note: 'a decision that replaced an older one',
  },
  { request: { prompt: OFF_TOPIC }, note: 'nothing in the notes bears on it' },
]

/** What there is to look at on this machine; the sample where there is nothing, or when it is asked for. */
export function planTour(surroundings: Surroundings, wantsSample: boolean): TourPlan {
  const found = wantsSample ? [] : detectSources(surroundings)
  const cache = defaultCacheFolder(surroundings)
  if (found.length === 0) return planSample(cache)
  const pathsOf = (setting: 'workspaces' | 'transcripts') =>
    found.filter((source) => source.setting === setting).map(({ path }) => path)
  return {
    isSample: false,
    workspaces: pathsOf('workspaces'),
    transcripts: pathsOf('transcripts'),
    store: join(cache, 'first-look.sqlite'),
    newestTranscripts: NEWEST_TRANSCRIPTS,
    title: `Your own notes and sessions, of each folder the newest ${NEWEST_TRANSCRIPTS} transcripts`,
  }
}

function planSample(cache: string): TourPlan {
  const examples = fileURLToPath(new URL('../../examples/', import.meta.url))
  return {
    isSample: true,
    workspaces: [join(examples, 'workspace')],
    transcripts: [join(examples, 'transcripts')],
    store: join(cache, 'sample.sqlite'),
    now: '2026-07-20T09:00:00+02:00',
    timeZone: 'Europe/Zurich',
    title: 'The sample: notes and sessions of a small tide service, on Monday 20 July 2026',
  }
}

/** Three prompts for what was indexed: two that memory should answer, one that it should leave alone. */
export async function choosePrompts(engine: Madeleine, plan: TourPlan): Promise<readonly TourPrompt[]> {
  if (plan.isSample) return SAMPLE_PROMPTS
  const prompts = [await promptFromTurn(engine), promptFromHeading(plan.workspaces)]
  return [
    ...prompts.filter((prompt) => prompt !== undefined),
    { request: { prompt: OFF_TOPIC }, note: 'nothing that you wrote bears on it, one hopes' },
  ]
}

const MIN_QUESTION_WORDS = 5
const MAX_QUESTION_WORDS = 25
const LOOKED_AT = 100

/** Something the user asked in a session of late. */
async function promptFromTurn(engine: Madeleine): Promise<TourPrompt | undefined> {
  for (const period of ['last month', 'last 12 months']) {
    const { results } = await engine.search(period, { source: 'sessions', limit: LOOKED_AT })
    const asked = results.find(({ role, snippet }) => {
      const words = cleanLine(snippet).split(' ').length
      return role === 'user' && words >= MIN_QUESTION_WORDS && words <= MAX_QUESTION_WORDS
    })
    if (asked) return { request: { prompt: cleanLine(asked.snippet) }, note: 'you said this in a session of late' }
  }
  return undefined
}

/** Longer headings say more, up to what one would say in a breath. */
const MAX_HEADING_CHARS = 50

/** A heading that no other note has. */
function promptFromHeading(workspaces: readonly string[]): TourPrompt | undefined {
  const counts = new Map<string, number>()
  for (const note of workspaces.flatMap(findNotes).slice(0, LOOKED_AT)) {
    for (const [, heading = ''] of readFileSync(note, 'utf8').matchAll(/^#{2,4} (.+)$/gm)) {
      counts.set(heading, (counts.get(heading) ?? 0) + 1)
    }
  }
  const [heading] = [...counts]
    .filter(([text, count]) => count === 1 && text.length <= MAX_HEADING_CHARS && isTelling(text))
    .map(([text]) => cleanLine(text))
    .sort((a, b) => b.length - a.length)
  if (heading === undefined) return undefined
  return { request: { prompt: `What did we say about ${heading}?` }, note: 'a heading of your notes' }
}

/** Two words at least, and no date. */
function isTelling(heading: string): boolean {
  return /\p{L}{3,}.* \p{L}{3,}/u.test(heading) && !/\d{4}/.test(heading)
}
