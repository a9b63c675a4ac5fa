import { MadeleineError } from '../errors.ts'
import type { RememberOptions } from '../model/engine.ts'
import type { MemoryContent, Place } from '../model/memory.ts'
import type { Viewer } from '../model/search.ts'
import { cleanTurnText } from '../normalize/index.ts'
import { parseInstant, toIsoWithOffset } from '../text/dates.ts'
import { shortHash } from '../text/hash.ts'

/** What can be an id: visible characters without separators that would make it a path or an option. */
const ID = /^[\p{L}\p{N}_][\p{L}\p{N}_.:@-]{0,127}$/u

function countMarks(text: string): number {
  return text.split('[redacted:').length - 1
}

/** A memory from a text that the viewer told us directly: cleaned and redacted, semantic unless said otherwise. */
export function createRemembered(
  text: string,
  options: RememberOptions,
  context: { now: Date; timeZone: string; viewer: Viewer },
): { content: MemoryContent; place: Pick<Place, 'occurredAt' | 'sessionId'>; redacted: number } {
  const clean = cleanTurnText(text, 'user')
  if (clean.trim() === '') {
    throw new MadeleineError('INVALID_OPTION', 'Cannot remember this text: nothing is left of it after cleaning', {
      remedy: 'Give a text that says something',
    })
  }
  if (options.id !== undefined && !ID.test(options.id)) {
    throw new MadeleineError('INVALID_OPTION', `Cannot remember under id "${options.id}": it is not a plain name`, {
      remedy: 'Use letters, digits and _ . : @ -, at most 128 characters',
    })
  }
  const { viewer } = context
  const scope = {
    tenant: viewer.tenant,
    agent: viewer.agent ?? 'main',
    project: viewer.project ?? '',
    visibility: options.visibility ?? 'private',
  }
  const at = options.occurredAt === undefined ? context.now : parseInstant(options.occurredAt, context.timeZone)
  return {
    redacted: Math.max(0, countMarks(clean) - countMarks(text)),
    content: {
      id:
        options.id ??
        shortHash('remembered', scope.tenant, scope.agent, scope.project, scope.visibility, clean, at.toISOString()),
      scope,
      category: 'memory',
      tier: options.tier ?? 'semantic',
      type: options.type ?? 'fact',
      trust: 'owner',
      importance: 0.5,
      text: clean,
      headerPath: [],
      embedText: clean,
    },
    place: {
      occurredAt: toIsoWithOffset(at, context.timeZone),
      ...(options.sessionId !== undefined && { sessionId: options.sessionId }),
    },
  }
}
