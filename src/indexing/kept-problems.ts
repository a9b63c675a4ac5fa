import type { Problem } from '../model/document.ts'
import { KEPT_PROBLEMS } from '../options.ts'
import type { MemoryStore } from '../store/memory-store.ts'

const KEY = 'index/problems'

/** Keeps what the last run skipped, so that `status` can show it. */
export async function keepProblems(
  store: MemoryStore,
  problems: ReadonlyArray<Problem & { failed?: boolean }>,
): Promise<void> {
  const kept = problems.slice(0, KEPT_PROBLEMS)
  const left = problems.length - kept.length
  if (left > 0) kept.push({ path: '…', reason: `and ${left} more` })
  await store.setState(KEY, JSON.stringify(kept))
}

/** What the last run skipped. */
export async function readProblems(store: MemoryStore): Promise<Array<Problem & { failed?: boolean }>> {
  const value = await store.getState(KEY)
  return value === null ? [] : (JSON.parse(value) as Array<Problem & { failed?: boolean }>)
}
