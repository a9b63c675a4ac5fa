// How other memories bear on one, whatever their tier.
import { findCorrelations } from 'madeleine/cross-tier-correlator'

const { totalFound, correlations } = await findCorrelations({
  memoryId: 'episode-vector-search',
  type: 'episodic',
  maxResults: 10,
  minScore: 0.4,
})

console.log(`${totalFound} memories bear on it:`)
for (const { targetId, targetType, relationshipType, score, reason } of correlations) {
  console.log(`  ${score.toFixed(2)} ${relationshipType} ${targetId} (${targetType}): ${reason}`)
}
