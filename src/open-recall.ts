import { existsSync } from 'node:fs'
import type { Clock } from './model/clock.ts'
import type { RecallRequest, RecallResponse, RecallTraceEntry } from './model/recall.ts'
import type { Viewer } from './model/search.ts'
import { cleanQueryText } from './normalize/index.ts'
import { RECALL_DEADLINE_MS, RECALL_NOTE_SHARE } from './options.ts'
import { briefSession, restoreSession, type SessionContext } from './recall/brief-session.ts'
import { withDeadline } from './recall/deadline.ts'
import { recallBeforeTurn } from './recall/recall.ts'
import { isTrivialPrompt } from './recall/should-recall.ts'
import { createTurnLog } from './recall/turn-log.ts'
import { toViewer } from './retrieval/memory-filter.ts'
import { findProject } from './source/project-root.ts'
import { KEEP_LAYOUT_FROM } from './store/keyword-index/layout-options.ts'
import { openSqliteStore } from './store/sqlite/open-sqlite-store.ts'
import { isOutdated } from './store/sqlite/prepare-schema.ts'

export interface RecallOptions {
  /** Absolute path of the store's file. */
  store: string
  tenant: string
  agentId?: string
  team?: readonly string[]
  now: Clock
  timeZone: string
  /** How long opening and writing wait for another process, ms. */
  busyMs: number
  recall?: { threshold?: number; tokenBudget?: number; deadlineMs?: number }
}

/** What a short-lived process asks of a store: keywords alone, no sources, no model. */
export interface RecallReader {
  /** As an engine without a model does it. Never rejects. */
  recall(request: RecallRequest): Promise<RecallResponse>
  /** What a new session of a project should know; '' when nothing is worth saying. */
  brief(session: SessionOf): Promise<SessionContext>
  /** What a session had been given before its host compacted it. */
  restore(session: SessionOf): Promise<SessionContext>
  /** Keeps what makes the next process faster, where that is not kept yet. To be called when the answer is out. Never rejects. */
  keepForNext(): Promise<void>
  close(): Promise<void>
}

export interface SessionOf {
  sessionId: string
  agentId?: string
  project?: string
  tokenBudget: number
}

/** Whether a prompt may need a memory at all, so that the store has to be opened. */
export function mayRecall(prompt: string): boolean {
  return !isTrivialPrompt(cleanQueryText(prompt))
}

/**
 * Opens a store for recall alone, with as little loaded as that takes: for processes that live for one answer. Null where there is no
 * store yet, or one that has to be upgraded first; neither is done here. Rejects as opening a store does.
 */
export async function openRecall(options: RecallOptions): Promise<RecallReader | null> {
  const { store: file, now: clock, timeZone, busyMs } = options
  if (!existsSync(file)) return null
  const open = { file, clock, noNative: true, refuseOlder: true, isForOneAnswer: true, busyMs }
  const store = await openSqliteStore(open).catch((error: unknown) => {
    if (isOutdated(error)) return null
    throw error
  })
  if (store === null) return null
  const viewerOf = (call: { agentId?: string; project?: string }): Viewer => toViewer({ ...options, findProject }, call)
  const request = (session: SessionOf) => ({
    viewer: viewerOf(session),
    sessionId: session.sessionId,
    now: clock(),
    tokenBudget: session.tokenBudget,
  })
  return {
    async recall(call) {
      const viewer = viewerOf(call)
      const considered: RecallTraceEntry[] = []
      const onTrace = (trace: readonly RecallTraceEntry[]): void => {
        considered.push(...trace)
      }
      const parts = { store, clock, timeZone, onTrace, ...options.recall }
      const answer = await recallBeforeTurn(parts, call, { viewer })
      const note = createTurnLog(store).note({ request: call, response: answer, at: clock(), viewer, considered })
      // The process ends with the answer, so it is noted before; a busy or read-only store keeps no history.
      const deadlineMs = options.recall?.deadlineMs ?? RECALL_DEADLINE_MS
      const leftMs = Math.max(0, deadlineMs - answer.elapsedMs)
      await withDeadline(note, Math.min(deadlineMs * RECALL_NOTE_SHARE, leftMs)).catch(() => undefined)
      return answer
    },
    brief: (session) => briefSession(store, request(session)),
    restore: (session) => restoreSession(store, request(session)),
    // A store that is busy or read-only keeps it another time.
    keepForNext: () => store.keepLayout(KEEP_LAYOUT_FROM).catch(() => undefined),
    close: () => store.close(),
  }
}
