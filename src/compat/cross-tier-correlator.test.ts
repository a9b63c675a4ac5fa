import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openMadeleine } from '../index.ts'
import {
  addRelationship,
  buildCorrelationGraph,
  close,
  discoverLinks,
  findCorrelations,
} from './cross-tier-correlator.ts'
import { openDefaultEngine } from './default-engine.ts'

const home = realpathSync(mkdtempSync(join(tmpdir(), 'madeleine-compat-')))
const store = join(home, 'store.sqlite')

const MEMORIES = [
  {
    id: 'pgvector-episode',
    tier: 'episodic',
    text: 'Tomas set up pgvector in PostgreSQL today, as semantic-pgvector says: embeddings of 384 dimensions for semantic search.',
  },
  {
    id: 'semantic-pgvector',
    tier: 'semantic',
    text: 'PostgreSQL with the pgvector extension stores embeddings of 384 dimensions and does semantic search.',
  },
  {
    id: 'procedure-pgvector',
    tier: 'procedural',
    text: 'How to set up pgvector in PostgreSQL: install the extension, create a vector column of 384 dimensions, build the index.',
  },
  { id: 'bakery', tier: 'semantic', text: 'The bakery at the corner opens at six.' },
] as const

beforeAll(async () => {
  const settings = {
    HOME: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    MADELEINE_STORE: store,
    MADELEINE_TIME_ZONE: 'UTC',
  }
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value)
  // The tests' own variable is none of the program's.
  vi.stubEnv('MADELEINE_REQUIRE_ALL', undefined)
  const memory = await openMadeleine({ store })
  for (const { id, tier, text } of MEMORIES) {
    await memory.remember(text, { id, tier, occurredAt: '2026-06-08T10:00:00Z', visibility: 'global' })
  }
  await memory.close()
})
afterAll(async () => {
  await close()
  vi.unstubAllEnvs()
  rmSync(home, { recursive: true, force: true })
})

describe('the functions of the correlator over the configured store', () => {
  it('find what bears on a memory, across tiers', async () => {
    const { memoryId, correlations, totalFound } = await findCorrelations({
      memoryId: 'pgvector-episode',
      type: 'episodic',
      maxResults: 5,
    })
    expect(memoryId).toBe('pgvector-episode')
    expect(correlations.length).toBeGreaterThan(0)
    expect(totalFound).toBeGreaterThanOrEqual(correlations.length)
    expect(correlations.some(({ targetType }) => targetType !== 'episodic')).toBe(true)
    expect(correlations.map(({ targetId }) => targetId)).not.toContain('bakery')
  })

  it('leave out what is weaker than asked for', async () => {
    const asked = { memoryId: 'pgvector-episode', type: 'episodic' } as const
    const weak = await findCorrelations({ ...asked, minScore: 0 })
    const least = weak.correlations.at(0)?.score ?? 1
    const strong = await findCorrelations({ ...asked, minScore: least })
    expect(strong.correlations.every(({ score }) => score >= least)).toBe(true)
    expect(strong.totalFound).toBeLessThan(weak.totalFound)
  })

  it('discover links of a text that is no memory, in the tiers asked for, and store none', async () => {
    const before = await buildCorrelationGraph({ memoryIds: ['semantic-pgvector'] })
    const links = await discoverLinks({
      memoryId: 'not-there',
      content: 'Set up pgvector in PostgreSQL: embeddings of 384 dimensions, semantic search; see semantic-pgvector.',
      type: 'episodic',
      searchSpace: ['semantic'],
    })
    expect(links.some(({ targetType }) => targetType === 'semantic')).toBe(true)
    expect(links.every(({ targetType }) => targetType === 'semantic')).toBe(true)
    expect(await buildCorrelationGraph({ memoryIds: ['semantic-pgvector'] })).toEqual(before)
  })

  it('state a relationship once, and draw it', async () => {
    const stated = {
      sourceId: 'pgvector-episode',
      targetId: 'bakery',
      relationshipType: 'references',
      score: 0.85,
      metadata: { said: 'over coffee' },
    } as const
    const { relationship } = await addRelationship(stated)
    expect(relationship).toMatchObject({ ...stated, origin: 'explicit' })
    await addRelationship(stated)
    const { nodes, edges } = await buildCorrelationGraph({ memoryIds: ['bakery'], maxDepth: 1 })
    expect(nodes.map(({ id }) => id)).toEqual(['bakery', 'pgvector-episode'])
    expect(edges).toMatchObject([{ sourceId: 'pgvector-episode', targetId: 'bakery', origin: 'explicit' }])
  })

  it('refuse a wrong tier and a memory that is not there', async () => {
    const asked = { memoryId: 'pgvector-episode', type: 'semantic' } as const
    await expect(findCorrelations(asked)).rejects.toMatchObject({ code: 'INVALID_OPTION' })
    await expect(findCorrelations({ ...asked, memoryId: 'ghost' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('the engine behind them', () => {
  it('is one for all calls, is closed by close, and opened again by the next call', async () => {
    const [first, second] = await Promise.all([openDefaultEngine(), openDefaultEngine()])
    expect(first.engine).toBe(second.engine)
    await close()
    await close()
    await expect(first.engine.status()).rejects.toMatchObject({ code: 'STORE_UNUSABLE' })
    expect((await buildCorrelationGraph({ memoryIds: ['bakery'] })).nodes.length).toBeGreaterThan(0)
  })

  it('is the configured one: what cannot be configured so is refused by name, and the next call tries again', async () => {
    await close()
    vi.stubEnv('MAX_LINKS_PER_MEMORY', 'abc')
    await expect(buildCorrelationGraph({ memoryIds: [] })).rejects.toThrow(/"abc" for MAX_LINKS_PER_MEMORY/)
    vi.stubEnv('MAX_LINKS_PER_MEMORY', '')
    vi.stubEnv('CORRELATOR_ENABLED', 'false')
    await expect(buildCorrelationGraph({ memoryIds: [] })).rejects.toMatchObject({ code: 'DISABLED' })
    await close()
    vi.stubEnv('CORRELATOR_ENABLED', '')
    expect((await buildCorrelationGraph({ memoryIds: ['bakery'], maxDepth: 1 })).edges).toHaveLength(1)
  })
})
