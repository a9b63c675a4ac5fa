export type ReferenceKind = 'path' | 'link' | 'id' | 'quote' | 'url' | 'decision'

/** A place in one text that names the other memory or something of it. Offsets are UTF-16 units, `end` not included. */
export interface Reference {
  kind: ReferenceKind
  start: number
  end: number
  /** What is named, where that stands in the other text. */
  target?: { start: number; end: number }
}
