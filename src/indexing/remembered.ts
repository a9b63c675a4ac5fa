import { MadeleineError } from '../errors.ts'
import type { RememberOptions } from '../model/engine.ts'
import { MEMORY_TYPES, type MemoryContent, type Place, TIERS, VISIBILITIES } from '../model/memory.ts'
import type { Viewer } from '../model/search.ts'
import { cleanId, cleanName, cleanTurnText } from '../normalize/index.ts'
import type { MemoryStore } from '../store/memory-store.ts'
import { parseInstant, toIsoWithOffset } from '../text/dates.ts'
import { shortHash } from '../text/hash.ts'

/** What can be an id: visible characters without separators that would make it a path or an option. */
const ID = /^[\p{L}\p{N}_][\p{L}\p{N}_.:@-]{0,127}$/u

function countMarks(text: string): number {
  return text.split('[redacted:').length - 1
}

/** How the name of a file ends: an id like this would be taken for a document. */
const FILE_ENDING = /\.\p{L}[\p{L}\p{N}]{0,9}$/u

/** A memory from a text that the viewer told us directly: cleaned and redacted, semantic unless said otherwise. */
export function createRemembered(
  text: string,
  options: RememberOptions,
  context: { now: Date; timeZone: string; viewer: Viewer },
): { content: MemoryContent; place: Pick<Place, 'occurredAt' | 'sessionId'>; redacted: number } {
  checkOneOf('tier', options.tier, TIERS)
  checkOneOf('type', options.type, MEMORY_TYPES)
  checkOneOf('visibility', options.visibility, VISIBILITIES)
  if (options.id !== undefined) checkId(options.id)
  const clean = cleanTurnText(text, 'user')
  if (clean.trim() === '') {
    throw new MadeleineError('INVALID_OPTION', 'Cannot remember this text: nothing is left of it after cleaning', {
      remedy: 'Give a text that says something',
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
      ...(options.sessionId !== undefined && { sessionId: cleanId(options.sessionId) }),
    },
  }
}

/**
 * Ids are the store's, not the agent's: refuses one that another agent's memory has, with INVALID_OPTION and words that do not tell
 * the caller of what it may not see.
 */
export async function assertOwnId(store: MemoryStore, { id, scope }: MemoryContent): Promise<void> {
  const [known] = await store.getMemories([id])
  if (!known || (known.scope.tenant === scope.tenant && known.scope.agent === scope.agent)) return
  throw new MadeleineError('INVALID_OPTION', `Cannot remember under id "${id}": this id is not to be had`, {
    remedy: 'Choose another one, such as one that begins with the name of the agent',
  })
}

function checkId(id: string): void {
  // What the id hides is not repeated.
  if (cleanId(id) !== id && ID.test(id)) {
    throw new MadeleineError('INVALID_OPTION', 'Cannot remember under this id: it holds a secret', {
      remedy: 'Use a plain name: ids are shown and kept as they are',
    })
  }
  if (!ID.test(id) || FILE_ENDING.test(id)) {
    const reason = ID.test(id) ? 'it looks like the name of a file' : 'it is not a plain name'
    throw new MadeleineError('INVALID_OPTION', `Cannot remember under id "${cleanName(id)}": ${reason}`, {
      remedy: 'Use letters, digits and _ . : @ -, at most 128 characters, without an ending such as .md',
    })
  }
}

function checkOneOf(name: string, value: string | undefined, allowed: readonly string[]): void {
  if (value === undefined || allowed.includes(value)) return
  const list = allowed.join(', ')
  throw new MadeleineError(
    'INVALID_OPTION',
    `Cannot remember with ${name} "${cleanName(String(value))}": it must be one of ${list}`,
    { remedy: `Give ${name} as one of ${list}` },
  )
}
