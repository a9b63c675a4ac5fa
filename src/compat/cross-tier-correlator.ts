import type {
  AddRelationshipParams,
  BuildCorrelationGraphParams,
  CorrelationGraph,
  CorrelationResult,
  DiscoveredLink,
  DiscoverLinksParams,
  FindCorrelationsParams,
  RelationshipResult,
  Tier,
} from '../index.ts'
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
export async function findCorrelations(params: FindCorrelationsParams): Promise<CorrelationResult> {
  return (await openDefaultEngine()).engine.findCorrelations(params)
}

/** States a relationship; saying the same twice is one. Both memories must be there. */
export async function addRelationship(params: AddRelationshipParams): Promise<RelationshipResult> {
  return (await openDefaultEngine()).engine.addRelationship(params)
}

/** Memories and how they bear on each other, from the given ones on. */
export async function buildCorrelationGraph(params: BuildCorrelationGraphParams): Promise<CorrelationGraph> {
  return (await openDefaultEngine()).engine.buildCorrelationGraph(params)
}

/** What a text would be related to. Its id need not exist, and nothing is stored. */
export async function discoverLinks(params: DiscoverLinksParams): Promise<DiscoveredLink[]> {
  return (await openDefaultEngine()).engine.discoverLinks(params)
}
