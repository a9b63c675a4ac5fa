import { expect, it, vi } from 'vitest'
import type { Madeleine } from '../../src/index.ts'
import { createInMemoryStore } from '../../src/store/memory/in-memory-store.ts'
import type { MemoryStore } from '../../src/store/memory-store.ts'
import { createFakeProvider } from '../../src/testing/index.ts'
import { describeStores } from '../stores.ts'
import { agent, head, user, useWorkspace } from './workspace.ts'

// A server and a database in this process take their time to start on a busy machine.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const here = useWorkspace()

/** Notes and talk that say things, contradict each other, link to each other and leave something undone. */
function writeSources(): void {
  here.note(
    'memory/lock.md',
    '# Lock\n\n## Code\n\nThe code of the lock is MARROW.\n\n## Keeper\n\nMara keeps the lock. See [[pump]].\n',
  )
  here.note(
    'memory/pump.md',
    '# Pump\n\nDecision: the bilge pump runs at 12 litres, because the old one was too loud.\n',
  )
  here.note(
    'memory/2026-06-01.md',
    '# Day\n\n## Lock\n\nThe code of the lock is now TEASEL.\n\n## Ferry\n\nTODO: order a rope for the ferry by 2026-06-09.\n',
  )
  for (let day = 2; day < 9; day++) {
    here.note(`memory/2026-06-0${day}.md`, `# Day\n\nThe tide was high on day ${day} and herons stood by the reeds.\n`)
  }
  here.session('one.jsonl', [
    head('one'),
    user('Which rope did we order for the ferry?', { id: 'asked', at: '2026-06-08T08:01:00Z' }),
    agent('None yet: the rope for the ferry is still to be ordered.', { id: 'answered', at: '2026-06-08T08:02:00Z' }),
  ])
}

function openOver(store: MemoryStore): Promise<Madeleine> {
  return here.open({ store, embedding: createFakeProvider(), correlation: {}, noThreads: true })
}

const QUERIES = [
  'code of the lock',
  'rope for the ferry',
  'herons at high tide',
  'why 12 litres',
  'nothing that anybody wrote',
]

/** All that the engine answers, as far as it may not depend on the store. */
async function answerAll(engine: Madeleine) {
  const report = await engine.index()
  const searches = []
  for (const query of QUERIES) {
    const { results } = await engine.search(query)
    searches.push(results.map(({ path, startLine, score }) => [path, startLine, Math.round(score * 100)]))
  }
  const recalled = await engine.recall({ prompt: 'what is the code of the lock?', sessionId: 'talk' })
  const tick = await engine.heartbeat()
  const linked = await engine.linkMemories()
  const [first] = (await engine.search('code of the lock')).results
  const { correlations } = await engine.findCorrelations({ memoryId: first?.id ?? '', type: first?.tier ?? 'semantic' })
  return {
    counts: report.memories,
    searches,
    recalled: recalled.items.map(({ path, startLine }) => [path, startLine]),
    signals: tick.signals.map(({ kind, signature }) => `${kind} ${signature}`).sort(),
    linked: [linked.memories, linked.written, linked.reviews],
    correlations: correlations.map(({ targetId, relationshipType, score }) => [
      targetId,
      relationshipType,
      Math.round(score * 100),
    ]),
  }
}

describeStores(
  'an engine answers the same whatever it keeps its memories in',
  (useStore) => {
    it('in searches, recalls, relationships and heartbeats', async () => {
      writeSources()
      const expected = await answerAll(await openOver(createInMemoryStore({ timeZone: 'UTC' })))
      expect(expected.searches[0]?.length).toBeGreaterThan(0)
      expect(expected.recalled.length).toBeGreaterThan(0)
      expect(expected.signals.length).toBeGreaterThan(0)
      expect(await answerAll(await openOver(await useStore()))).toEqual(expected)
    })
  },
  { withIndex: true },
)
