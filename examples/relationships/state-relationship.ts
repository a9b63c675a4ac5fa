// States a relationship that no text shows. Saying it twice is one relationship.
import { addRelationship } from 'madeleine/cross-tier-correlator'

const { relationship } = await addRelationship({
  sourceId: 'episode-typescript',
  targetId: 'semantic-typescript',
  relationshipType: 'references',
  score: 0.85,
  metadata: { statedBy: 'the owner', about: 'the language of the bulletin service' },
})

const { sourceId, relationshipType, targetId, score } = relationship
console.log(`${sourceId} ${relationshipType} ${targetId} (${score})`)
