import { MadeleineError } from '../errors.ts'
import type { Correlator, LinkOptions, LinkReport } from '../model/correlation.ts'
import { type CorrelatorParts, createCorrelationContext } from './correlation-context.ts'
import { discoverLinks } from './discover-links.ts'
import { findCorrelations } from './find-correlations.ts'
import { buildCorrelationGraph } from './graph/build-correlation-graph.ts'
import { buildFileGraph } from './graph/build-file-graph.ts'
import { type LinkScope, linkMemories } from './link-memories.ts'
import { decideReview, listReviews } from './reviews.ts'
import { addRelationship, removeRelationship } from './state-relationship.ts'

/** The correlator, and what the engine does of itself. */
export interface LinkingCorrelator extends Correlator {
  /** Links what was added, as far as the settings have it done unasked; null where they do not. */
  linkAdded(scope: LinkScope, options?: Omit<LinkOptions, 'all'>): Promise<LinkReport | null>
}

/** Wires the parts of the correlator. When it is switched off, every method that callers have rejects with DISABLED. */
export function createCorrelator(parts: CorrelatorParts): LinkingCorrelator {
  const context = createCorrelationContext(parts)

  /** A method that is not there while the correlator is switched off. */
  function whenEnabled<Params extends unknown[], Result>(
    method: (...params: Params) => Promise<Result>,
  ): (...params: Params) => Promise<Result> {
    return async (...params) => {
      if (!context.settings.enabled) throw disabled()
      return method(...params)
    }
  }

  return {
    async linkAdded(scope, options) {
      const { enabled, autoDiscover } = context.settings
      return enabled && autoDiscover ? linkMemories(context, options, scope) : null
    },
    addRelationship: whenEnabled((params) => addRelationship(context, params)),
    removeRelationship: whenEnabled((params) => removeRelationship(context, params)),
    findCorrelations: whenEnabled((params) => findCorrelations(context, params)),
    discoverLinks: whenEnabled((params) => discoverLinks(context, params)),
    linkMemories: whenEnabled((options) => linkMemories(context, options)),
    buildCorrelationGraph: whenEnabled((params) => buildCorrelationGraph(context, params)),
    buildFileGraph: whenEnabled((params) => buildFileGraph(context, params)),
    listReviews: whenEnabled((options) => listReviews(context, options)),
    decideReview: whenEnabled((params) => decideReview(context, params)),
  }
}

function disabled(): MadeleineError {
  return new MadeleineError('DISABLED', 'Cannot relate memories: the correlator is switched off', {
    remedy: 'Set CORRELATOR_ENABLED=true, or "enabled" of the correlation settings',
  })
}
