/** Which places of which documents a session writes anew: ranges of positions, `to` not included. */
export class WrittenPlaces {
  readonly #ranges = new Map<number, Array<{ from: number; to: number }>>()
  readonly #changes = new Map<number, number>()

  add(document: number, from: number, to: number): void {
    const ranges = this.#ranges.get(document)
    if (ranges) ranges.push({ from, to })
    else this.#ranges.set(document, [{ from, to }])
  }

  /** Whether something of the document is written, or the place at this position. */
  has(document: number, position?: number): boolean {
    const ranges = this.#ranges.get(document)
    if (!ranges || position === undefined) return ranges !== undefined
    return ranges.some(({ from, to }) => position >= from && position < to)
  }

  /** Whether one range holds all of these positions. */
  covers(document: number, first: number, end: number): boolean {
    return this.#ranges.get(document)?.some(({ from, to }) => first >= from && end <= to) ?? false
  }

  /** After all positions of ranges that end; 0 when there are none. */
  endOf(document: number): number {
    const ends = this.#ranges.get(document)?.map(({ from, to }) => (Number.isFinite(to) ? to : from)) ?? []
    return Math.max(0, ...ends)
  }

  /** So many more places stand in the document. */
  count(document: number, places: number): void {
    this.#changes.set(document, (this.#changes.get(document) ?? 0) + places)
  }

  /** How many more or less places stand in each document. */
  changes(): Iterable<[document: number, change: number]> {
    return this.#changes
  }

  /** What is written anew: rows that stood there make room. */
  *ranges(): Iterable<{ document: number; from: number; to: number }> {
    for (const [document, ranges] of this.#ranges) for (const { from, to } of ranges) yield { document, from, to }
  }
}
