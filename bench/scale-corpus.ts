import { toUnitVector } from '../src/model/unit-vector.ts'
import type { DocumentWrite, GivenVectors } from '../src/store/memory-store.ts'
import { hashedWords } from '../src/testing/fake-embedding-provider.ts'
import { type MadeTurn, makeConversations } from './made-memories.ts'
import { createRandom, createWordSource } from './made-text.ts'

export const DIMENSIONS = 384
/** As the provider of the clients names its vectors: words hashed, so that a query costs nothing and means what words it holds. */
export const IDENTITY = `fake:${DIMENSIONS}x1000`
export const TENANT = 'local'
export const NOW = new Date(Date.UTC(2027, 0, 1))
const SCOPE = { tenant: TENANT, agent: 'main', project: '', visibility: 'private' } as const
const DOCUMENT_MEMORIES = 20
const LENGTH = { least: 15, most: 120 }
/** Share of the documents that are notes; the rest is talk. */
const NOTES = 0.4
const MINUTE_MS = 60_000
/** Texts of which queries are made. */
const SAMPLE = 2000
const NEAREST = 10

/** Queries by vector, with the cosine of the tenth best of all memories. */
export interface Probe {
  vector: Float32Array
  tenth: number
}

export function vectorOf(text: string): Float32Array {
  return toUnitVector(hashedWords(text, DIMENSIONS)) ?? new Float32Array(DIMENSIONS)
}

/** Made documents of twenty memories, the same in every run, and what is to be asked of them. */
export class Corpus {
  readonly size: number
  readonly #sample: string[] = []
  #probes: Array<{ vector: Float32Array; best: number[] }> = []

  constructor(size: number) {
    this.size = size
  }

  /** The documents from the first, one after the other, each with the vectors of its memories. */
  async *documents(): AsyncGenerator<{ write: DocumentWrite; vectors: GivenVectors[] }> {
    const random = createRandom(this.size)
    const draw = await createWordSource(random)
    const prose = (): string => draw.prose(LENGTH.least + Math.floor(random() * (LENGTH.most - LENGTH.least)))
    for (let start = 0; start < this.size; start += DOCUMENT_MEMORIES) {
      const texts = Array.from({ length: Math.min(DOCUMENT_MEMORIES, this.size - start) }, prose)
      if (this.#sample.length < SAMPLE) this.#sample.push(...texts)
      const document = makeDocument('made', start, texts)
      for (const { windows } of document.vectors) this.#compare(windows[0])
      yield document
    }
  }

  /** Before the documents are made: vectors whose nearest are to be found. */
  async prepareProbes(count: number): Promise<void> {
    const draw = await createWordSource(createRandom(7))
    this.#probes = Array.from({ length: count }, () => ({ vector: vectorOf(draw.prose(20)), best: [] }))
  }

  /** After the documents were made. */
  probes(): Probe[] {
    return this.#probes.map(({ vector, best }) => ({ vector, tenth: best.at(-1) ?? -1 }))
  }

  /** Conversations of three turns about what the documents say. */
  conversations(count: number): Promise<MadeTurn[][]> {
    return makeConversations({ workspace: '', transcripts: '', texts: this.#sample, now: NOW }, count)
  }

  #compare(vector: Float32Array | undefined): void {
    if (!vector) return
    for (const probe of this.#probes) {
      let cosine = 0
      for (let at = 0; at < DIMENSIONS; at++) cosine += (vector[at] ?? 0) * (probe.vector[at] ?? 0)
      const { best } = probe
      if (best.length === NEAREST && cosine <= (best[NEAREST - 1] ?? -1)) continue
      best.push(cosine)
      best.sort((a, b) => b - a)
      best.length = Math.min(best.length, NEAREST)
    }
  }
}

/** A document of these texts; those of one `kind` have ids of their own. */
export function makeDocument(
  kind: string,
  start: number,
  texts: readonly string[],
): { write: DocumentWrite; vectors: GivenVectors[] } {
  const isNote = (start / DOCUMENT_MEMORIES) % 10 < NOTES * 10
  const category = isNote ? ('memory' as const) : ('sessions' as const)
  const path = `${category}/${kind}-${String(start).padStart(8, '0')}.md`
  const idOf = (index: number): string => `${kind}${(start + index).toString(16).padStart(12, '0')}`
  const memories = texts.map((text, index): DocumentWrite['memories'][number] => ({
    content: {
      id: idOf(index),
      scope: SCOPE,
      category,
      tier: isNote ? 'semantic' : 'episodic',
      type: isNote ? 'fact' : 'event',
      trust: 'owner',
      importance: 0.5,
      text,
      headerPath: isNote ? [`Part ${index % 5}`] : [],
      embedText: text,
      ...(!isNote && { role: index % 2 === 0 ? ('user' as const) : ('assistant' as const) }),
    },
    place: {
      startLine: index + 1,
      endLine: index + 1,
      occurredAt: new Date(NOW.getTime() - (start + index + 1) * MINUTE_MS).toISOString(),
      ...(!isNote && { sessionId: path }),
    },
  }))
  const head = { root: '/made', path, category, scope: SCOPE, contentHash: path }
  return {
    write: { head, fingerprint: path, chunkerVersion: 1, memories },
    vectors: texts.map((text, index) => ({ id: idOf(index), embedText: text, windows: [vectorOf(text)] })),
  }
}
