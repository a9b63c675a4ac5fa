import type { StoreFinding } from './memory-store.ts'

/** What mends some of the findings of a check, with what it works on. */
export interface Repair<Parts> {
  /** The findings that it answers. */
  ids: readonly string[]
  /** Resolves with what was done, in words; null when it could not be. */
  apply(parts: Parts, now: Date): Promise<string | null>
}

/** Applies, in their order, the repairs that answer any of the findings. Returns what was done, by id of finding. */
export async function applyRepairs<Parts>(
  repairs: ReadonlyArray<Repair<Parts>>,
  parts: Parts,
  { findings, now }: { findings: readonly StoreFinding[]; now: Date },
): Promise<Record<string, string>> {
  const found = new Set(findings.map(({ id }) => id))
  const done = new Map<string, string>()
  for (const { ids, apply } of repairs) {
    const due = ids.filter((id) => found.has(id))
    const result = due.length > 0 ? await apply(parts, now) : null
    if (result !== null) for (const id of due) done.set(id, result)
  }
  return Object.fromEntries(done)
}
