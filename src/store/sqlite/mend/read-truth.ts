import type { MemoryContent, Scope, Visibility } from '../../../model/memory.ts'
import { unpackDetail } from '../../content-codec.ts'
import { rememberedKey } from '../../remembered.ts'
import type { SqliteDatabase, SqlRow } from '../database.ts'
import { embedTextOf } from '../rows.ts'
import { readRelationships } from './read-relationships.ts'
import { scanFromBothEnds, tryRead } from './scan-damaged.ts'
import type { KeptMemory, Truth } from './truth.ts'

const FOLDER = rememberedKey('').path
/** The path that comes after all paths in the folder. */
const FOLDER_END = `${FOLDER.slice(0, -1)}0`
const SELECT_MEMORY = 'SELECT ordinal, id, scope, importance, text, detail, embed, document FROM memory'
/** Whose scope cannot be read is nobody else's. */
const UNKNOWN_SCOPE: Scope = { tenant: 'local', agent: 'main', project: '', visibility: 'private' }

/**
 * Reads from a damaged database all that cannot be rebuilt, as far as it can be read: each table from both ends up to the damage,
 * and each memory by every way that leads to it. Never fails because of damage: what is lost is named in `unread`.
 */
export function readTruth(database: SqliteDatabase): Truth {
  const unread: string[] = []
  const scan = (what: string, sql: string, order: readonly string[]): SqlRow[] => {
    const { rows, isWhole } = scanFromBothEnds(database, sql, order)
    if (!isWhole) unread.push(what)
    return rows
  }
  return {
    ...readMemories(database, unread),
    ...readRelationships(database, unread),
    tombstones: scan('a part of what was forgotten', 'SELECT * FROM tombstone', ['kind', 'tenant', 'root', 'key']).map(
      ({ kind, tenant, root, key, forgotten_at: forgottenAt }) => ({
        kind: kind === 'document' ? 'document' : 'memory',
        tenant: String(tenant),
        root: String(root),
        key: String(key),
        forgottenAt: String(forgottenAt),
      }),
    ),
    accesses: scan('a part of the access history', 'SELECT id, count, last FROM access', ['id']).map((row) => ({
      id: String(row.id),
      count: Number(row.count),
      last: String(row.last),
    })),
    states: scan('a part of the state', 'SELECT key, value FROM state', ['key']).map(({ key, value }) => ({
      key: String(key),
      value: String(value),
    })),
    unread,
  }
}

function readMemories(database: SqliteDatabase, unread: string[]): Pick<Truth, 'memories' | 'strays'> {
  // Two ways to the same names: the index of the paths alone, and the table alone.
  const byPath = scanFromBothEnds(
    database,
    `SELECT id, path FROM document INDEXED BY sqlite_autoindex_document_1
     WHERE path >= '${FOLDER}' AND path < '${FOLDER_END}' AND root = ''`,
    ['path'],
  )
  const byNumber = scanFromBothEnds(database, 'SELECT id, path, is_remembered FROM document NOT INDEXED', ['id'])
  const remembered = new Map(
    [...byPath.rows, ...byNumber.rows.filter((row) => row.is_remembered === 1)].map((row) => [
      Number(row.id),
      String(row.path).slice(FOLDER.length),
    ]),
  )
  const memories = [...remembered].flatMap(([document, id]) => {
    const memory = readRemembered(database, document, id)
    if (memory === null) unread.push(`the remembered memory ${id}`)
    return memory ?? []
  })
  if (byPath.isWhole || byNumber.isWhole) return { memories, strays: [] }
  unread.push('a part of the list of documents')
  const known = new Set([...remembered.keys(), ...byNumber.rows.map((row) => Number(row.id))])
  const ids = new Set(memories.map(({ content }) => content.id))
  const { rows } = scanFromBothEnds(database, `${SELECT_MEMORY} NOT INDEXED`, ['ordinal'])
  const strays = rows
    .filter((row) => !known.has(Number(row.document)) && !ids.has(String(row.id)))
    .flatMap((row) => toKept(database, row) ?? [])
  return { memories, strays }
}

/** By its place, else by its id. */
function readRemembered(database: SqliteDatabase, document: number, id: string): KeptMemory | null {
  const byPlace = tryRead(() =>
    database
      .prepare(`${SELECT_MEMORY} WHERE ordinal = (SELECT ordinal FROM place WHERE document = ? AND position = 0)`)
      .get(document),
  )
  const row = byPlace ?? tryRead(() => database.prepare(`${SELECT_MEMORY} WHERE id = ?`).get(id))
  return row ? toKept(database, { ...row, document }) : null
}

/** Null when a part of it is not what it must be. */
function toKept(database: SqliteDatabase, row: SqlRow): KeptMemory | null {
  if (typeof row.text !== 'string' || typeof row.id !== 'string') return null
  const detail = tryRead(() => unpackDetail(row.detail))
  const embedText = tryRead(() => embedTextOf(row))
  const importance = Number(row.importance)
  if (!detail || !Array.isArray(detail.headerPath)) return null
  const content: MemoryContent = {
    ...detail,
    id: row.id,
    scope: readScope(database, Number(row.scope)),
    importance: importance >= 0 && importance <= 1 ? importance : 0.5,
    text: row.text,
    embedText: embedText ?? row.text,
  }
  return { content, place: readPlace(database, Number(row.document)) }
}

function readScope(database: SqliteDatabase, number: number): Scope {
  const row = tryRead(() =>
    database.prepare('SELECT tenant, agent, project, visibility FROM scope WHERE id = ?').get(number),
  )
  if (!row) return { ...UNKNOWN_SCOPE }
  return {
    tenant: String(row.tenant),
    agent: String(row.agent),
    project: String(row.project),
    visibility: String(row.visibility) as Visibility,
  }
}

function readPlace(database: SqliteDatabase, document: number): KeptMemory['place'] {
  const row = tryRead(() =>
    database.prepare('SELECT detail FROM place WHERE document = ? AND position = 0').get(document),
  )
  const detail = tryRead(() => JSON.parse(String(row?.detail ?? '{}')) as Record<string, unknown>)
  return {
    ...(typeof detail?.occurredAt === 'string' && { occurredAt: detail.occurredAt }),
    ...(typeof detail?.sessionId === 'string' && { sessionId: detail.sessionId }),
  }
}
