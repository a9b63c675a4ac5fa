import type { Connection } from './connection.ts'

/** Roots and paths of documents under their numbers. A number keeps its name and is never used again. */
export class DocumentNames {
  readonly #connection: Connection
  readonly #byNumber = new Map<number, { root: string; path: string }>()

  constructor(connection: Connection) {
    this.#connection = connection
  }

  get(number: number): { root: string; path: string } {
    const known = this.#byNumber.get(number)
    if (known) return known
    const row = this.#connection.sql('SELECT root, path FROM document WHERE id = ?').get(number)
    const name = { root: String(row?.root), path: String(row?.path) }
    this.#byNumber.set(number, name)
    return name
  }
}
