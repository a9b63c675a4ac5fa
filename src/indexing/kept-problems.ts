import type { Problem } from '../model/document.ts'
import { KEPT_PROBLEMS } from '../options.ts'
import type { MemoryStore } from '../store/memory-store.ts'
import type { WritePassReport } from './write-pass.ts'

const KEY = 'index/problems'

type KeptProblem = Problem & { failed?: boolean }

/** Keeps what is left out now, so that `status` can show it: what a run met, and what earlier ones met in what it did not read. */
export async function keepProblems(
  store: MemoryStore,
  {
    problems: met,
    unchanged,
    continued,
    looked,
  }: Pick<WritePassReport, 'problems' | 'unchanged' | 'continued' | 'looked'>,
): Promise<void> {
  const isUnread = (path: string): boolean => looked !== undefined && !looked.has(path)
  const standing = (await readProblems(store)).filter(
    ({ path }) => unchanged.has(path) || continued.has(path) || isUnread(path),
  )
  const problems = mergeProblems(standing, met)
  const kept = problems.slice(0, KEPT_PROBLEMS)
  const left = problems.length - kept.length
  if (left > 0) kept.push({ path: '…', reason: `and ${left} more` })
  await store.setState(KEY, JSON.stringify(kept))
}

/** Each once; counts of what was read on add up. */
function mergeProblems(standing: readonly KeptProblem[], met: readonly KeptProblem[]): KeptProblem[] {
  const merged = new Map<string, KeptProblem>()
  const keyOf = ({ path, line, reason }: KeptProblem): string => JSON.stringify([path, line, reason])
  for (const problem of met) merged.set(keyOf(problem), problem)
  for (const problem of standing) {
    const known = merged.get(keyOf(problem))
    const isCounted = known?.count !== undefined && problem.count !== undefined
    if (!known) merged.set(keyOf(problem), problem)
    else if (isCounted) merged.set(keyOf(problem), { ...known, count: (known.count ?? 0) + (problem.count ?? 0) })
  }
  return [...merged.values()]
}

/** What is left out now. */
export async function readProblems(store: MemoryStore): Promise<KeptProblem[]> {
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
