import { formatHeader, type Memory } from '../model/memory.ts'
import type { RecallItem } from '../model/recall.ts'
import type { MemoryFilter, Viewer } from '../model/search.ts'
import { cleanId } from '../normalize/index.ts'
import { BRIEFING, RECALL_ITEM_CHARS } from '../options.ts'
import type { MemoryStore } from '../store/memory-store.ts'
import { estimateTokens, formatItem, formatRecalledContext, shorten } from './format-context.ts'
import { noteInjected, readInjected } from './injected.ts'

/** A text for the beginning of a session and what stands in it; '' and nothing when there is nothing worth saying. */
export interface SessionContext {
  text: string
  items: RecallItem[]
}

export interface SessionRequest {
  /** Whose memories and which project; a session without a project has no briefing. */
  viewer: Viewer
  sessionId: string
  now: Date
  /** Tokens that the block may take. */
  tokenBudget: number
}

const DAY_MS = 86_400_000

/**
 * What a new session of a project should know: the newest plans and open points of that project, and how its last session ended.
 * What is older than BRIEFING.days is left out, what is of other projects too, global or not. Notes what it gives as injected, as
 * far as the store can be written.
 */
export async function briefSession(store: MemoryStore, request: SessionRequest): Promise<SessionContext> {
  const { viewer, now } = request
  const sessionId = cleanId(request.sessionId)
  if (viewer.project === undefined) return { text: '', items: [] }
  const filter: MemoryFilter = { viewer, states: ['active', 'stale'], afterMs: now.getTime() - BRIEFING.days * DAY_MS }
  const plans = await store.listMemories({ ...filter, category: 'memory', types: ['plan'] }, { limit: BRIEFING.looked })
  const talk = await store.listMemories({ ...filter, category: 'sessions' }, { limit: BRIEFING.looked })
  const chosen = [...plans.filter((memory) => isOf(viewer, memory)).slice(0, BRIEFING.plans), ...lastWords(talk)]
  const injected = await readInjected(store, sessionId)
  const items = takeFitting(
    chosen.filter(({ id }) => !injected.has(id)),
    request.tokenBudget,
  )
  if (items.length > 0) await noteInjected(store, sessionId, { before: injected, ids: idsOf(items), now })
  return { text: formatRecalledContext(items), items }

  /** The last thing that was asked and answered in the session before this one; none where this one is the last itself. */
  function lastWords(newestFirst: readonly Memory[]): Memory[] {
    const inProject = newestFirst.filter((memory) => isOf(viewer, memory))
    const last = inProject[0]?.place.sessionId
    if (last === undefined || last === sessionId) return []
    const own = inProject.filter(({ place }) => place.sessionId === last)
    const roles = ['user', 'assistant'] as const
    return roles.flatMap((role) => own.find((memory) => memory.role === role) ?? [])
  }
}

/**
 * What had been injected into a session before its host compacted it: the latest first, as much as the budget takes. What does not
 * fit counts as not shown any more, so that a recall may bring it again.
 */
export async function restoreSession(store: MemoryStore, request: SessionRequest): Promise<SessionContext> {
  const sessionId = cleanId(request.sessionId)
  const ids = [...(await readInjected(store, sessionId))]
  if (ids.length === 0) return { text: '', items: [] }
  const known = new Map((await store.getMemories(ids)).map((memory) => [memory.id, memory]))
  const newestFirst = ids.reverse().flatMap((id) => known.get(id) ?? [])
  const fitting = takeFitting(newestFirst, request.tokenBudget)
  const seen = await Promise.all(fitting.map(({ id }) => isVisible(store, known.get(id), request.viewer)))
  const items = fitting.filter((_, index) => seen[index])
  await noteInjected(store, sessionId, { before: new Set(), ids: idsOf(items).reverse(), now: request.now })
  return { text: formatRecalledContext(items), items }
}

const idsOf = (items: readonly RecallItem[]): string[] => items.map(({ id }) => id)

/** Whether the session may still see it: whose a memory is may have changed since it was shown. */
async function isVisible(store: MemoryStore, memory: Memory | undefined, viewer: Viewer): Promise<boolean> {
  if (!memory) return false
  const { root, path } = memory.place
  const placed = await store.listDocumentMemories({ root, path }, { viewer, states: ['active', 'stale'] })
  return placed.some((one) => one.memory.id === memory.id)
}

function isOf({ project }: Viewer, { scope }: Memory): boolean {
  return scope.project === project
}

function takeFitting(memories: readonly Memory[], tokenBudget: number): RecallItem[] {
  let left = tokenBudget
  return memories.map(toItem).filter((item) => {
    const tokens = estimateTokens(formatItem(item))
    if (tokens > left) return false
    left -= tokens
    return true
  })
}

function toItem({ id, text, headerPath, role, speaker, tool, place }: Memory): RecallItem {
  return {
    id,
    path: place.path,
    startLine: place.startLine,
    endLine: place.endLine,
    score: 1,
    text: shorten(text, RECALL_ITEM_CHARS),
    header: formatHeader(headerPath),
    ...(role && { role }),
    ...(speaker && { speaker }),
    ...(tool && { tool }),
    ...(place.sessionId && { sessionId: place.sessionId }),
    ...(place.occurredAt && place.dateOrigin !== 'mtime' && { occurredAt: place.occurredAt }),
  }
}
