import type { Memory } from '../src/model/memory.ts'
import type { Candidate, CandidateQuery, CandidateSet, MemoryStore } from '../src/store/memory-store.ts'

/** What of its answers a store keeps to itself. */
export interface Concealment {
  candidate?: (candidate: Candidate) => Candidate
  query?: (query: CandidateQuery) => CandidateQuery
  /** The words of memories are not compared with those of a query. */
  words?: true
  /** A search that asks again with more words is given the same as before. */
  feedback?: true
}

const withMemory = (candidate: Candidate, change: (memory: Memory) => Memory): Candidate => ({
  ...candidate,
  memory: change(candidate.memory),
})

/** Ideas of the ranking, and what each lives on. */
export const IDEAS: Readonly<Record<string, Concealment>> = {
  neighbours: { candidate: (candidate) => ({ ...candidate, window: 0 }) },
  session: { candidate: (candidate) => ({ ...candidate, document: 0 }) },
  speakers: {
    candidate: (candidate) => withMemory(candidate, ({ speaker: _, ...memory }) => memory),
  },
  dates: {
    candidate: (candidate) =>
      withMemory(candidate, ({ place: { occurredAt: _, ...place }, ...memory }) => ({ ...memory, place })),
  },
  feedback: { feedback: true },
  words: { words: true },
  vectors: { words: true, query: ({ identity: _, ...query }) => ({ ...query, vectors: [] }) },
}

/** The store, which hides what it is told to from whoever searches it. */
export function conceal(store: MemoryStore, { candidate, query, words, feedback }: Concealment): MemoryStore {
  let last: { texts: ReadonlySet<string>; set: CandidateSet } | undefined
  const findCandidates: MemoryStore['findCandidates'] = async (asked) => {
    const texts = new Set(asked.terms.map(({ field, term }) => `${field} ${term}`))
    // Feedback adds words to those of the search before.
    const isRepeated =
      last !== undefined && texts.size > last.texts.size && [...last.texts].every((one) => texts.has(one))
    if (feedback && isRepeated && last) return last.set
    const set = await store.findCandidates(query ? query(asked) : asked)
    const shown = candidate ? { ...set, candidates: set.candidates.map(candidate) } : set
    last = { texts, set: shown }
    return shown
  }
  const hidden: Partial<MemoryStore> = { findCandidates, ...(words && { compareWords: async () => new Map() }) }
  return new Proxy(store, {
    get(target, name) {
      const own: unknown = Reflect.get(hidden, name)
      if (own !== undefined) return own
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
