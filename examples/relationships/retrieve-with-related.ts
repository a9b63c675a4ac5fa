// A search that weighs how recent things are, widened by what bears on its first results.
import { type Correlation, findCorrelations } from 'madeleine/cross-tier-correlator'
import { memory_retrieve } from 'madeleine/decay'

async function retrieveWithRelated(query: string, recencyWeight: number) {
  const primary = await memory_retrieve({ query, recencyWeight })
  const expanded: Correlation[] = []
  for (const { id, type } of primary.slice(0, 5)) {
    const { correlations } = await findCorrelations({ memoryId: id, type, maxResults: 3 })
    expanded.push(...correlations)
  }
  return { primary, expanded, totalResults: primary.length + expanded.length }
}

const { primary, expanded, totalResults } = await retrieveWithRelated('semantic search with pgvector', 0.3)
for (const { id, type, score } of primary) console.log(`  ${score.toFixed(2)} ${id} (${type})`)
console.log(`${primary.length} found, ${expanded.length} related to them, ${totalResults} in all`)
