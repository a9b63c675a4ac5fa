/** Rows of one table in memory, found by key and by group, which know what was changed since they were loaded. */
export class TrackedRows<Row> {
  readonly #keyOf: (row: Row) => string
  readonly #groupsOf: (row: Row) => readonly string[]
  readonly #rows = new Map<string, Row>()
  readonly #groups = new Map<string, Set<string>>()
  /** As they were loaded, of those that were changed; undefined for new ones. */
  readonly #before = new Map<string, Row | undefined>()

  constructor(keyOf: (row: Row) => string, groupsOf: (row: Row) => readonly string[]) {
    this.#keyOf = keyOf
    this.#groupsOf = groupsOf
  }

  load(rows: Iterable<Row>): void {
    for (const row of rows) this.#put(row)
  }

  get(key: string): Row | undefined {
    return this.#rows.get(key)
  }

  /** Those of a group, in the order in which they came. */
  of(group: string): Row[] {
    return [...(this.#groups.get(group) ?? [])].flatMap((key) => this.#rows.get(key) ?? [])
  }

  all(): Row[] {
    return [...this.#rows.values()]
  }

  write(row: Row): void {
    this.#note(this.#keyOf(row))
    this.#put(row)
  }

  drop(key: string): void {
    this.#note(key)
    this.#remove(key)
  }

  /** What has to be written, and what deleted, so that the table is as these rows are. */
  changes(): { written: Row[]; dropped: Row[] } {
    const written: Row[] = []
    const dropped: Row[] = []
    for (const [key, before] of this.#before) {
      const now = this.#rows.get(key)
      if (now !== undefined) written.push(now)
      else if (before !== undefined) dropped.push(before)
    }
    return { written, dropped }
  }

  #note(key: string): void {
    if (!this.#before.has(key)) this.#before.set(key, this.#rows.get(key))
  }

  #put(row: Row): void {
    const key = this.#keyOf(row)
    this.#remove(key)
    this.#rows.set(key, row)
    for (const group of this.#groupsOf(row)) {
      const keys = this.#groups.get(group)
      if (keys) keys.add(key)
      else this.#groups.set(group, new Set([key]))
    }
  }

  #remove(key: string): void {
    const row = this.#rows.get(key)
    if (row === undefined) return
    this.#rows.delete(key)
    for (const group of this.#groupsOf(row)) this.#groups.get(group)?.delete(key)
  }
}
