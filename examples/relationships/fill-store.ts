// Fills the configured store with what the other examples ask about. Run it once, with a store of its own:
//   MADELEINE_STORE=/tmp/relationships.sqlite npx tsx examples/relationships/fill-store.ts
import { openMadeleine } from 'madeleine'

const memories = [
  {
    id: 'episode-vector-search',
    tier: 'episodic',
    at: '2026-07-14T10:00:00Z',
    text: 'Mara and Tomas set up pgvector in PostgreSQL for the semantic search of the tide log, and decided to keep embeddings of 384 dimensions.',
  },
  {
    id: 'episode-typescript',
    tier: 'episodic',
    at: '2026-07-15T16:00:00Z',
    text: 'Mara said that she prefers TypeScript to Python for the new bulletin service. As decided with episode-vector-search, it stores its vectors in PostgreSQL.',
  },
  {
    id: 'semantic-pgvector',
    tier: 'semantic',
    at: '2026-07-10T08:00:00Z',
    text: 'PostgreSQL with the pgvector extension does semantic search: it stores embeddings of 384 dimensions and finds the nearest ones.',
  },
  {
    id: 'semantic-typescript',
    tier: 'semantic',
    at: '2026-07-01T08:00:00Z',
    text: 'Mara prefers TypeScript for services and Python for one-off scripts.',
  },
  {
    id: 'procedure-pgvector-setup',
    tier: 'procedural',
    at: '2026-06-20T08:00:00Z',
    text: 'How to set up pgvector: install the extension in PostgreSQL, create a vector column of 384 dimensions, then build the index for semantic search.',
  },
  {
    id: 'procedure-backup',
    tier: 'procedural',
    at: '2026-05-02T08:00:00Z',
    text: 'How to back up PostgreSQL: run pg_dump every night and copy the file to the vault.',
  },
] as const

const memory = await openMadeleine(process.env.MADELEINE_STORE ? { store: process.env.MADELEINE_STORE } : {})
for (const { id, tier, at, text } of memories) {
  await memory.remember(text, { id, tier, occurredAt: at, visibility: 'global' })
}
await memory.linkMemories()
await memory.close()
console.log(`${memories.length} memories are in the store.`)
