import type { Madeleine, Tier } from '../index.ts'
import { openDefaultEngine } from './default-engine.ts'

export type {
  AddRelationshipParams,
  BuildCorrelationGraphParams,
  Correlation,
  CorrelationGraph,
  CorrelationResult,
  DiscoveredLink,
  DiscoverLinksParams,
  FindCorrelationsParams,
  RelationshipResult,
  RelationshipType,
} from '../index.ts'
export { closeDefaultEngine as close } from './default-engine.ts'

/** What these functions call the type of a memory: its tier. */
export type MemoryType = Tier

// The engine's methods of the same names, as functions over the configured store. They reject with MadeleineError as those do.

/** How other memories bear on one, across tiers, strongest first. */
export const findCorrelations: Madeleine['findCorrelations'] = async (params) =>
  (await openDefaultEngine()).engine.findCorrelations(params)

/** States a relationship; saying the same twice is one. Both memories must be there. */
export const addRelationship: Madeleine['addRelationship'] = async (params) =>
  (await openDefaultEngine()).engine.addRelationship(params)

/** Memories and how they bear on each other, from the given ones on. */
export const buildCorrelationGraph: Madeleine['buildCorrelationGraph'] = async (params) =>
  (await openDefaultEngine()).engine.buildCorrelationGraph(params)

/** What a text would be related to. Its id need not exist, and nothing is stored. */
export const discoverLinks: Madeleine['discoverLinks'] = async (params) =>
  (await openDefaultEngine()).engine.discoverLinks(params)
