// What a text would be related to, before it is a memory: nothing is stored by asking.
import { discoverLinks } from 'madeleine/cross-tier-correlator'

const links = await discoverLinks({
  memoryId: 'not-yet-a-memory',
  content: 'We talked about pgvector in PostgreSQL again: semantic search over embeddings of 384 dimensions.',
  type: 'episodic',
  searchSpace: ['semantic', 'procedural'],
})

console.log(`${links.length} links would be found:`)
for (const { targetId, relationshipType, score } of links) {
  console.log(`  ${relationshipType} ${targetId} (${score.toFixed(2)})`)
}
