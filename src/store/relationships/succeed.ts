import type { KeptRelationship } from './kept.ts'

/** What is stored after a write: `known` itself when nothing about it changes. */
export function succeed(known: KeptRelationship | undefined, given: KeptRelationship): KeptRelationship {
  if (!known) return given
  const finders = given.origin === 'explicit' ? 0 : known.finders | given.finders
  const isSame = known.finders === finders && contentOf(known) === contentOf(given)
  return isSame ? known : { ...given, finders, createdMs: known.createdMs }
}

function contentOf({ origin, score, reason, parts, evidence, metadata }: KeptRelationship): string {
  return JSON.stringify([origin, score, reason, parts ?? null, evidence, metadata])
}
