import type { Viewer } from '../../model/search.ts'
import { maySee, seesTenant } from '../memory-filter.ts'
import type { StoreCounts, StoredDocument } from '../memory-store.ts'
import type { Connection } from './connection.ts'
import { listDocuments } from './documents.ts'
import type { Scopes } from './scopes.ts'
import { countAll } from './vectors.ts'

const SELECT_VISIBLE = `SELECT d.root, d.path FROM document d WHERE d.is_remembered = 0 AND (d.tenant = ?2 OR EXISTS (
  SELECT 1 FROM place p JOIN memory m ON m.ordinal = p.ordinal
  WHERE p.document = d.id AND m.scope IN (SELECT value FROM json_each(?1))))`
const COUNT_MEMORIES = `SELECT count(*) AS memories, coalesce(sum(place_count), 0) AS places FROM memory
  WHERE scope IN (SELECT value FROM json_each(?))`
const COUNT_EMBEDDED = `SELECT i.name, count(*) AS settled, sum(e.windows > 0) AS embedded
  FROM embedding e JOIN memory m ON m.ordinal = e.ordinal JOIN identity i ON i.id = e.identity
  WHERE m.scope IN (SELECT value FROM json_each(?)) GROUP BY i.id`

/** What a viewer is told of a store: of the documents those that hold something that they may see, and what they may see of the counts. */
export class VisibleParts {
  readonly #connection: Connection
  readonly #scopes: Scopes

  constructor(connection: Connection, scopes: Scopes) {
    this.#connection = connection
    this.#scopes = scopes
  }

  listDocuments(viewer?: Viewer): StoredDocument[] {
    const documents = listDocuments(this.#connection)
    const visible = this.#listKeys(viewer)
    return visible === null ? documents : documents.filter((document) => visible.has(documentKey(document)))
  }

  count(wantedIdentity?: string, viewer?: Viewer): StoreCounts {
    const scopes = this.#listScopes(viewer)
    if (scopes === null) return countAll(this.#connection, wantedIdentity)
    const { memories = 0, places = 0 } = this.#connection.sql(COUNT_MEMORIES).get(scopes) ?? {}
    const identities = this.#connection.sql(COUNT_EMBEDDED).all(scopes)
    const embedded = identities.filter((row) => Number(row.embedded) > 0)
    const settled = Number(identities.find(({ name }) => name === wantedIdentity)?.settled ?? 0)
    return {
      documents: this.#listKeys(viewer)?.size ?? 0,
      memories: Number(memories),
      places: Number(places),
      embedded: Object.fromEntries(embedded.map((row) => [String(row.name), Number(row.embedded)])),
      pending: wantedIdentity === undefined ? 0 : Number(memories) - settled,
    }
  }

  /** Of an owner's tenant also those documents that hold nothing; null where nothing is hidden. */
  #listKeys(viewer: Viewer | undefined): Set<string> | null {
    const scopes = this.#listScopes(viewer)
    if (scopes === null || viewer === undefined) return null
    const owned = seesTenant(viewer) ? viewer.tenant : null
    const rows = this.#connection.sql(SELECT_VISIBLE).all(scopes, owned)
    return new Set(rows.map(({ root, path }) => documentKey({ root: String(root), path: String(path) })))
  }

  /** The numbers of the scopes that the viewer may see, as JSON; null where nothing is hidden from them. */
  #listScopes(viewer: Viewer | undefined): string | null {
    if (viewer === undefined) return null
    const numbers = this.#connection
      .sql('SELECT id FROM scope')
      .all()
      .map(({ id }) => Number(id))
    const visible = numbers.filter((number) => maySee(viewer, this.#scopes.get(number)))
    return seesTenant(viewer) && visible.length === numbers.length ? null : JSON.stringify(visible)
  }
}

function documentKey({ root, path }: { root: string; path: string }): string {
  return `${root}\0${path}`
}
