import type { TextOf } from '../../relationships/to-relationship.ts'
import type { Connection } from '../connection.ts'

/** The texts of memories, those that are there. */
export function readTexts(connection: Connection, ids: readonly string[]): TextOf {
  if (ids.length === 0) return () => undefined
  const rows = connection.rows(
    'SELECT id, text FROM memory WHERE id IN (SELECT value FROM json_each(?))',
    JSON.stringify([...new Set(ids)]),
  )
  const texts = new Map(rows.map(([id, text]) => [String(id), String(text)]))
  return (id) => texts.get(id)
}
