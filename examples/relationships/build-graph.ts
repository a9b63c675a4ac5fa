// The graph around some memories, two steps far, through two of the three tiers.
import { buildCorrelationGraph } from 'madeleine/cross-tier-correlator'

const { nodes, edges, orphans } = await buildCorrelationGraph({
  memoryIds: ['episode-vector-search', 'semantic-pgvector', 'procedure-backup'],
  includeTypes: ['episodic', 'semantic'],
  maxDepth: 2,
})

console.log(`${nodes.length} memories, ${edges.length} relationships; alone: ${orphans.join(', ') || 'none'}`)
for (const { sourceId, relationshipType, targetId } of edges) {
  console.log(`  ${sourceId} ${relationshipType} ${targetId}`)
}
