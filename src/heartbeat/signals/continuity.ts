import type { Signal } from '../../model/heartbeat.ts'
import type { Memory } from '../../model/memory.ts'
import { CONTINUITY, URGENCY_WEIGHTS } from '../heartbeat-options.ts'
import { signatureOf, toLine } from './describe-signal.ts'
import { formatAge } from './format-when.ts'
import type { SignalContext, SignalSource } from './signal-source.ts'

/** How talk ends when nothing is left to say. */
const CONCLUSION =
  /\b(?:thanks?|thank you|perfect|great|good ?night|bye|that(?:['’]s| is) (?:all|it)|all (?:done|good|set)|done|finished|fixed|merged|resolved|works|ok(?:ay)?|danke|perfekt|tschüss|erledigt|merci|parfait|gracias|listo)\b|谢谢|完成|ありがとう|完了/i
/** What the agent says when it is about to go on. */
const GOING_ON =
  /\b(?:(?:i['’]ll|let me|i will|i am going to|i['’]m going to) (?:now |then |next )?\p{L}+|next(?: step)?(?:,| is|:)|still to do|remaining|to be continued|tomorrow (?:i|we))/iu

/** The newest session, where it broke off: the user's words were never answered, or more was to come. */
export const continuity: SignalSource = {
  kind: 'continuity',
  async detect({ store, filter, now, timeZone: _ }: SignalContext): Promise<Signal[]> {
    const range = { afterMs: now.getTime() - CONTINUITY.withinMs, beforeMs: now.getTime() + 1 }
    const turns = await store.listMemories({ ...filter, ...range, category: 'sessions' }, { limit: CONTINUITY.turns })
    const sessionId = turns[0]?.place.sessionId
    const talk = turns.filter(
      ({ role, place }) => (role === 'user' || role === 'assistant') && place.sessionId === sessionId,
    )
    const last = talk[0]
    if (!last) return []
    const age = now.getTime() - Date.parse(last.place.occurredAt ?? '')
    if (!(age >= CONTINUITY.quietMs) || !isBrokenOff(last)) return []
    const topic = talk.find(({ role }) => role === 'user') ?? last
    return [
      {
        kind: 'continuity',
        urgency: 'elevated',
        signature: signatureOf('continuity', { subject: [], memoryId: sessionId ?? last.id }),
        summary: toLine(topic.text, `${last.role === 'user' ? 'unanswered' : 'broken off'} ${formatAge(age)}`),
        memoryIds: [...new Set([topic.id, last.id])],
        weight: URGENCY_WEIGHTS.elevated,
        topic: topic.text,
      },
    ]
  },
}

function isBrokenOff({ role, text }: Memory): boolean {
  const end = text.trim().split('\n').at(-1) ?? ''
  if (role === 'user') return !CONCLUSION.test(text) || /[?？]\s*$/.test(end)
  return GOING_ON.test(end) && !CONCLUSION.test(end)
}
