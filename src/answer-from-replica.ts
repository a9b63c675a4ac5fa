import type { Madeleine } from './model/engine.ts'
import type { Degraded } from './model/search.ts'
import type { ReadStore } from './store/read-store.ts'

/** An engine whose searches and recalls ask a replica: their answers, its findings and its status say how the replica does. */
export function answerFromReplica(engine: Madeleine, readStore: ReadStore): Madeleine {
  const withNote = <T extends { degraded: Degraded[] }>(answer: T): T => ({
    ...answer,
    degraded: [...answer.degraded, ...readStore.note()],
  })
  return {
    ...engine,
    search: async (query, options) => withNote(await engine.search(query, options)),
    recall: async (request) => {
      const answer = await engine.recall(request)
      return answer.skipped ? answer : withNote(answer)
    },
    async status(options) {
      return { ...(await engine.status(options)), readStore: readStore.location }
    },
    async doctor(options) {
      const { findings } = await engine.doctor(options)
      return { findings: [...findings, ...(await readStore.check())] }
    },
    async close() {
      await readStore.close()
      await engine.close()
    },
  }
}
