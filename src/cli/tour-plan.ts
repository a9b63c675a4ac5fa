import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Madeleine, RecallRequest, SearchResult } from '../index.ts'
import { detectSources } from './detect-sources.ts'
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
export async function choosePrompts(engine: Madeleine, { isSample }: TourPlan): Promise<readonly TourPrompt[]> {
  if (isSample) return SAMPLE_PROMPTS
  const notes = await findRecent(engine, 'memory')
  const turns = await findRecent(engine, 'sessions')
  const prompts = [promptFromTurn(turns), promptFromHeading(notes.length > 0 ? notes : turns)]
  return [
    ...prompts.filter((prompt) => prompt !== undefined),
    { request: { prompt: OFF_TOPIC }, note: 'nothing that you wrote bears on it, one hopes' },
  ]
}

/** Memories of late; of any time where there are none. */
async function findRecent(engine: Madeleine, source: 'memory' | 'sessions'): Promise<SearchResult[]> {
  for (const query of ['last month', 'last 12 months', 'decided', 'how']) {
    const { results } = await engine.search(query, { source, limit: 100 })
    if (results.length > 0) return results
  }
  return []
}

const MIN_QUESTION_WORDS = 5
const MAX_QUESTION_WORDS = 25

/** Something the user asked in a session of late. */
function promptFromTurn(turns: readonly SearchResult[]): TourPrompt | undefined {
  const asked = turns.find(({ role, snippet }) => {
    const words = cleanLine(snippet).split(' ').length
    return role === 'user' && words >= MIN_QUESTION_WORDS && words <= MAX_QUESTION_WORDS
  })
  return asked && { request: { prompt: cleanLine(asked.snippet) }, note: 'you said this in a session of late' }
}

/** A heading that hardly another memory has. */
function promptFromHeading(memories: readonly SearchResult[]): TourPrompt | undefined {
  const headings = memories.map(({ header }) => cleanLine(header.split(' > ').at(-1) ?? ''))
  const counts = new Map<string, number>()
  for (const heading of headings) counts.set(heading, (counts.get(heading) ?? 0) + 1)
  const distinctive = headings
    .filter((heading) => /\p{L}{3,}.* \p{L}{3,}/u.test(heading) && !/\d{4}/.test(heading))
    .sort((a, b) => (counts.get(a) ?? 0) - (counts.get(b) ?? 0))
  const [heading] = distinctive
  return heading === undefined
    ? undefined
    : { request: { prompt: `What did we say about ${heading}?` }, note: 'a heading of your notes' }
}
