import type { NotedCue } from '../../model/cue.ts'
import type { Signal } from '../../model/heartbeat.ts'
import { tokenize } from '../../text/tokenize.ts'
import { CUES_A_KIND, SILENCE, URGENCY_WEIGHTS } from '../heartbeat-options.ts'
import { signatureOf, toLine } from './describe-signal.ts'
import { formatSaid } from './format-when.ts'
import { wasSaid } from './said.ts'
import type { SignalContext, SignalSource } from './signal-source.ts'

/** Notes on people that are looked at, and names in each. */
const NOTES = { count: 20, names: 40 }
/** A first and a family name, as notes on people write them. */
const FULL_NAME = /(?<![\p{L}\p{N}])(\p{Lu}\p{Ll}{2,})[ -](?:\p{Lu}\p{Ll}{1,}[ -])?(\p{Lu}\p{Ll}{2,})(?![\p{L}\p{N}])/gu

/** People of whom the notes on people speak, who were often named, and of whom nothing was heard for a while. */
export const relationshipSilence: SignalSource = {
  kind: 'relationship_silence',
  async detect(context: SignalContext): Promise<Signal[]> {
    const { store, filter, now, timeZone } = context
    const notes = await store.listMemories({ ...filter, types: ['relationship'] }, { limit: NOTES.count })
    const people = new Map(
      notes.flatMap((note) => namesIn(note.text).map((name) => [name.first, { ...name, note }] as const)),
    )
    if (people.size === 0) return []
    const saidFromMs = now.getTime() - SILENCE.windowMs
    const kinds = ['task', 'plan', 'outcome', 'appointment', 'deadline', 'decision', 'problem'] as const
    const cues = (await store.listCues({ kinds, filter, saidFromMs, limit: CUES_A_KIND })).filter((cue) =>
      wasSaid(cue, now),
    )
    const silent = [...people.values()].flatMap((person) => {
      const named = cues.filter(({ text, occurredAt }) => occurredAt !== undefined && hasName(text, person.first))
      const age = named[0] ? now.getTime() - Date.parse(named[0].occurredAt ?? '') : 0
      return named.length >= SILENCE.mentions && age >= SILENCE.silentMs ? [{ person, named }] : []
    })
    const signals: Signal[] = []
    for (const { person, named } of silent.slice(0, SILENCE.checked)) {
      if (await wasNamedSince(context, person.first)) continue
      signals.push({
        kind: 'relationship_silence',
        urgency: 'low',
        signature: signatureOf('relationship_silence', { subject: [], memoryId: person.full }),
        summary: toLine(
          `Nothing heard of ${person.full}`,
          `last named ${formatSaid(named[0]?.occurredAt ?? '', now, timeZone)}, ${named.length} times in all`,
        ),
        memoryIds: [...new Set([idOf(named), person.note.id])],
        weight: URGENCY_WEIGHTS.low,
        topic: person.full,
      })
    }
    return signals
  },
}

function idOf(named: readonly NotedCue[]): string {
  return named[0]?.memoryId ?? ''
}

function namesIn(text: string): Array<{ first: string; full: string }> {
  return [...text.matchAll(FULL_NAME)].slice(0, NOTES.names).map(([full, first = '']) => ({ first, full: full.trim() }))
}

function hasName(text: string, name: string): boolean {
  return new RegExp(`(?<![\\p{L}\\p{N}])${name}(?![\\p{L}\\p{N}])`, 'u').test(text)
}

/** Asks the keyword index: the lines that were noted are not all that was said. */
async function wasNamedSince({ store, filter, now }: SignalContext, name: string): Promise<boolean> {
  const [token] = tokenize(name)
  if (!token) return false
  const afterMs = now.getTime() - SILENCE.silentMs
  const { matchedCount } = await store.findCandidates({
    terms: [{ term: token.term, field: 'text', weight: 1 }],
    vectors: [],
    filter: { ...filter, afterMs, beforeMs: now.getTime() + 1 },
    limit: 1,
  })
  return matchedCount > 0
}
