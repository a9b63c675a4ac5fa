import type { NotedCue } from '../../model/cue.ts'
import type { Signal } from '../../model/heartbeat.ts'
import { TURN_LOG } from '../../options.ts'
import { createTurnLog } from '../../recall/turn-log.ts'
import { createGapLog } from '../../retrieval/gap-log.ts'
import { GAP_LOG } from '../../retrieval/gap-options.ts'
import { subjectOf } from '../../text/cues/subject.ts'
import { CUES_A_KIND, GAP, URGENCY_WEIGHTS } from '../heartbeat-options.ts'
import { signatureOf, toLine, toSignal } from './describe-signal.ts'
import { formatAge, formatSaid } from './format-when.ts'
import { gather } from './gather.ts'
import { ageOf, wasSaid } from './said.ts'
import type { SignalContext, SignalSource } from './signal-source.ts'

/** A prompt that asks; only such a one misses something when nothing is recalled. */
const ASKS =
  /[?？]\s*$|^\W*(?:what|who|whom|whose|which|when|where|why|how|do we|did we|have we|was|wer|wann|wo|warum|wie|welche[rs]?|qui|quand|où|pourquoi|comment|quel(?:le)?|quién|cuándo|dónde|por qué|cómo|qué)\b|^(?:什么|谁|哪|何|誰|いつ|どこ|なぜ)/iu

/** Questions that were noted and not answered, and what was asked for several times and not found. */
export const knowledgeGap: SignalSource = {
  kind: 'knowledge_gap',
  async detect(context: SignalContext): Promise<Signal[]> {
    return [...(await findOpenQuestions(context)), ...(await findMissed(context))]
  },
}

async function findOpenQuestions({ store, filter, now, timeZone, settlement }: SignalContext): Promise<Signal[]> {
  const saidFromMs = now.getTime() - GAP.ageMs
  const questions = await store.listCues({ kinds: ['question'], filter, saidFromMs, limit: CUES_A_KIND })
  const settled = await settlement()
  const open = questions.filter((cue) => wasSaid(cue, now) && !settled.find(cue))
  return gather(open, settled).map(([cue, ...others]) => {
    const { occurredAt } = cue
    const memoryIds = others.map(({ memoryId }) => memoryId)
    return toSignal('knowledge_gap', cue, {
      urgency: 'normal',
      memoryIds,
      ...(occurredAt !== undefined && { note: `open, noted ${formatSaid(occurredAt, now, timeZone)}` }),
    })
  })
}

/** A question that found nothing. */
interface Missed {
  query: string
  at: number
}

async function findMissed({ store, viewer, now, settlement }: SignalContext): Promise<Signal[]> {
  const searched = (await createGapLog(store).list(viewer)).map(
    ({ query, at }): Missed => ({ query, at: Date.parse(at) }),
  )
  const recalled = (await createTurnLog(store).list(viewer, TURN_LOG.turns, now))
    .filter(({ skipped, prompt, considered }) => !skipped && ASKS.test(prompt) && !isAnswered(considered))
    .map(({ prompt, at }): Missed => ({ query: prompt, at: Date.parse(at) }))
  const recent = [...searched, ...recalled]
    .filter(({ at }) => at <= now.getTime() && now.getTime() - at <= GAP.askedMs)
    .sort((a, b) => b.at - a.at)
  const asked = gather(recent.map(toCue), await settlement())
  return asked.filter((group) => group.length >= GAP.asked).map((group) => toMissed(group, now))
}

function isAnswered(considered: ReadonlyArray<{ score: number }>): boolean {
  return considered.some(({ score }) => score >= GAP_LOG.below)
}

function toCue({ query, at }: Missed): NotedCue {
  const occurredAt = new Date(at).toISOString()
  const place = { memoryId: '', path: '', category: 'sessions', tier: 'episodic' } as const
  return { kind: 'question', text: query, subject: subjectOf(query), occurredAt, ...place }
}

function toMissed([first, ...others]: readonly [NotedCue, ...NotedCue[]], now: Date): Signal {
  const times = others.length + 1
  return {
    kind: 'knowledge_gap',
    urgency: 'low',
    signature: signatureOf('knowledge_gap', { subject: first.subject, memoryId: first.text }),
    summary: toLine(`Asked ${times} times and not found: ${first.text}`, `last ${formatAge(ageOf(first, now) ?? 0)}`),
    memoryIds: [],
    weight: URGENCY_WEIGHTS.low,
    topic: first.text,
  }
}
