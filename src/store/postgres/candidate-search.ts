import type { Memory } from '../../model/memory.ts'
import { termKey } from '../../text/index-terms.ts'
import { contendByKeyword, matchedTerms, scoresOf } from '../keyword-index/keyword-evidence.ts'
import type { KeywordResult } from '../keyword-index/keyword-scorer.ts'
import { pickCandidates } from '../keyword-index/pick-candidates.ts'
import type { Candidate, CandidateQuery, CandidateSet, TermCounts, TermKey } from '../memory-store.ts'
import { compareRanked, type KeywordScores, rankByKeyword } from '../rank.ts'
import type { PostgresConnection, Transaction } from './postgres-connection.ts'
import type { TenantIndex } from './tenant-index.ts'
import type { TenantIndexes } from './tenant-indexes.ts'
import type { PostgresVectors } from './vectors/postgres-vectors.ts'
import type { FoundVectors } from './vectors/tenant-vectors.ts'

interface Parts {
  connection: PostgresConnection
  indexes: TenantIndexes
  vectors: PostgresVectors
}

/** What is known of a candidate before its memory is read. */
interface Evidence {
  candidate: Omit<Candidate, 'memory'>
  field: number
}

/** What a search found, by ordinal. */
interface Found extends Omit<CandidateSet, 'candidates'> {
  maxima: KeywordScores
  evidence: Map<number, Evidence>
  readMemories(): Promise<ReadonlyMap<number, Readonly<Memory>>>
}

/** The search of the PostgreSQL store: keyword and vector arm over the same filter, every candidate scored by both. */
export class CandidateSearch {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  async find(query: CandidateQuery): Promise<CandidateSet> {
    const { connection, indexes } = this.#parts
    const { tenant } = query.filter.viewer
    return connection.read(async (tx) => {
      const { maxima, evidence, readMemories, ...counts } = await indexes.use(tx, tenant, (index) =>
        this.#select(tx, index, query),
      )
      // Others may search meanwhile.
      const memories = await readMemories()
      return { ...counts, candidates: rank(memories, evidence, maxima) }
    })
  }

  async countHolders(terms: readonly TermKey[], tenant: string): Promise<TermCounts> {
    const { connection, indexes } = this.#parts
    return connection.read((tx) =>
      indexes.use(tx, tenant, async (index) => {
        await index.fetchLists(tx, keysOf(terms))
        return {
          documentFrequencies: index.scorer.countHolders(terms, tenant),
          memoryCount: index.layout.totals(tenant).memories,
        }
      }),
    )
  }

  async #select(tx: Transaction, index: TenantIndex, query: CandidateQuery): Promise<Found> {
    const { layout, scorer } = index
    const { vectors } = this.#parts
    const { terms, filter, identity, limit } = query
    const { tenant } = filter.viewer
    const allowed = layout.applyFilter(filter)
    await index.fetchLists(tx, keysOf(terms))
    const keyword = scorer.score(terms, tenant)
    const { contenders, maxima } = contendByKeyword(layout, keyword, allowed, limit)
    const { ids } = vectors.of(index)
    const picked = await ids.settle(tx, (idsOf) => pickCandidates(layout, contenders, limit, idsOf))
    const arm = await vectors.search(tx, { index, query, allowed })
    await arm?.score(picked)
    const evidence = new Map<number, Evidence>()
    for (const ordinal of [...picked, ...(arm?.picked ?? [])]) {
      evidence.set(ordinal, toEvidence(index, ordinal, { keyword, arm }))
    }
    const { memories, structure } = index
    return {
      maxima,
      evidence,
      readMemories: () => memories.read(tx, [...evidence.keys()], structure),
      documentFrequencies: keyword.lists.map((list) => list.length / 2),
      memoryCount: layout.totals(tenant).memories,
      matchedCount: countMatched(keyword, arm, allowed),
      pendingCount: identity === undefined ? 0 : await vectors.countPending(tx, { index, identity, allowed }),
    }
  }
}

function keysOf(terms: readonly TermKey[]): string[] {
  return terms.map(({ term, field }) => termKey(field, term))
}

function toEvidence(
  { layout }: TenantIndex,
  ordinal: number,
  { keyword, arm }: { keyword: KeywordResult; arm: FoundVectors | null },
): Evidence {
  const vector = arm?.cosine(ordinal)
  return {
    field: keyword.field.values[ordinal] ?? 0,
    candidate: {
      ...scoresOf(layout, ordinal, keyword),
      matched: matchedTerms(keyword, ordinal),
      ...(vector !== undefined && { vector }),
    },
  }
}

function rank(
  memories: ReadonlyMap<number, Readonly<Memory>>,
  evidence: ReadonlyMap<number, Evidence>,
  maxima: KeywordScores,
): Candidate[] {
  const ranked = [...memories].flatMap(([ordinal, memory]) => {
    const known = evidence.get(ordinal)
    if (!known) return []
    const candidate = { memory, ...known.candidate }
    const isFound = candidate.window > 0 || known.field > 0
    return [{ candidate, rank: isFound ? rankByKeyword(candidate, maxima) : 0, field: known.field }]
  })
  return ranked.sort(compareRanked).map(({ candidate }) => candidate)
}

/** Allowed memories that hold a word of the query or have a vector. */
function countMatched({ text }: KeywordResult, arm: FoundVectors | null, allowed: Uint8Array): number {
  let count = arm?.holders ?? 0
  for (let at = 0; at < text.count; at++) {
    const ordinal = text.touched[at] ?? 0
    const isCounted = arm?.has(ordinal) ?? false
    if (!isCounted && allowed[ordinal] === 1) count += 1
  }
  return count
}
