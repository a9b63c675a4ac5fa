export type ReferenceKind = 'path' | 'link' | 'id' | 'quote' | 'url' | 'decision'

/**
 * Whether a text names the other memory or repeats its words. An address or a day in common only suggests it; whoever names a document
 * means its beginning, and which other part is meant can only be inferred.
 */
export function isWritten({ kind, isPart }: Pick<Reference, 'kind' | 'isPart'>): boolean {
  return kind !== 'url' && kind !== 'decision' && !isPart
}

/** A place in one text that names the other memory or something of it. Offsets are UTF-16 units, `end` not included. */
export interface Reference {
  kind: ReferenceKind
  start: number
  end: number
  /** What is named, where that stands in the other text. */
  target?: { start: number; end: number }
  /** It names the document, of which the memory is not the beginning. */
  isPart?: true
}
