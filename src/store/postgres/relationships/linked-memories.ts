import type { MemoryContent, Place, Scope, Visibility } from '../../../model/memory.ts'
import { type PlaceDetail, unpackDetail, unpackEmbedText } from '../../content-codec.ts'
import type { LinkedMemory } from '../../relationships/kept.ts'
import type { SqlRow } from '../database.ts'
import type { Transaction } from '../postgres-connection.ts'
import { queryTenants } from '../query-tenants.ts'

/** Memories at their canonical places; $1 the tenant. Append conditions. */
export const SELECT_LINKED = `SELECT m.ordinal, m.id, m.importance, m.text, m.detail, m.embed, m.position, p.detail AS place, d.root, d.path,
    m.tenant, s.agent, s.project, s.visibility
  FROM memory m JOIN scope s ON s.tenant = m.tenant AND s.number = m.scope
  JOIN document d ON d.tenant = m.tenant AND d.number = m.document
  JOIN place p ON p.tenant = m.tenant AND p.document = m.document AND p.position = m.position
  WHERE m.tenant = $1`
const SELECT_SCOPES = `SELECT m.id, m.tenant, s.agent, s.project, s.visibility
  FROM memory m JOIN scope s ON s.tenant = m.tenant AND s.number = m.scope
  WHERE m.tenant = $1 AND m.id = ANY($2)`

/** Memories as they are at their canonical places. */
export async function readLinkedMemories(
  tx: Transaction,
  tenants: readonly string[],
  ids: readonly string[],
): Promise<LinkedMemory[]> {
  return (await queryTenants(tx, tenants, `${SELECT_LINKED} AND m.id = ANY($2)`, [ids])).map(toLinkedMemory)
}

/** Whose memories are, of those that are there. */
export async function readScopes(
  tx: Transaction,
  tenants: readonly string[],
  ids: readonly string[],
): Promise<Map<string, Scope>> {
  const rows = await queryTenants(tx, tenants, SELECT_SCOPES, [ids])
  return new Map(rows.map((row) => [String(row.id), toScope(row)]))
}

/** `row`: the columns of SELECT_LINKED. */
export function toLinkedMemory(row: SqlRow): LinkedMemory {
  return { content: toContent(row), place: toPlace(row) }
}

function toContent(row: SqlRow): MemoryContent {
  const text = String(row.text)
  return {
    ...unpackDetail(row.detail),
    id: String(row.id),
    scope: toScope(row),
    importance: Number(row.importance),
    text,
    embedText: unpackEmbedText(row.embed, text),
  }
}

function toPlace({ place, root, path, position }: SqlRow): Place {
  // Safe because the column holds what packPlace gave.
  const detail = JSON.parse(String(place)) as PlaceDetail
  return { ...detail, root: String(root), path: String(path), position: Number(position) }
}

export function toScope({ tenant, agent, project, visibility }: SqlRow): Scope {
  return {
    tenant: String(tenant),
    agent: String(agent),
    project: String(project),
    visibility: visibility as Visibility,
  }
}
