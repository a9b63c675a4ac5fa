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
  if (value === null) return []
  try {
    const problems: unknown = JSON.parse(value)
    return Array.isArray(problems) ? problems.filter(isProblem) : []
  } catch {
    // The next run writes them anew.
    return []
  }
}

function isProblem(value: unknown): value is Problem & { failed?: boolean } {
  const { path, reason } = (value ?? {}) as Partial<Problem>
  return typeof path === 'string' && typeof reason === 'string'
}
