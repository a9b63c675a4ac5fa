import type { Connection } from './connection.ts'
import { MIGRATIONS } from './migrations.ts'

const SCHEMA_CHANGE = /\b(CREATE|DROP) (?:UNIQUE )?(?:TABLE|INDEX) (\w+)/g
/** What every store has in its table of single values. */
const META_KEYS: readonly string[] = [
  ...['sequence', 'next_ordinal', 'index_version', 'is_log_unscrubbed', 'link_mark', 'cue_version'],
]

/** Tables, indexes and single values that a store of this version has and this one has not; within a read transaction. */
export function missingParts(connection: Connection): string[] {
  const found = new Set(
    connection
      .sql('SELECT name FROM sqlite_master')
      .all()
      .map(({ name }) => String(name)),
  )
  const missing = [...namesInSchema()].filter((name) => !found.has(name))
  if (!found.has('meta')) return missing
  const keys = new Set(
    connection
      .sql('SELECT key FROM meta')
      .all()
      .map(({ key }) => String(key)),
  )
  return [...missing, ...META_KEYS.filter((key) => !keys.has(key))]
}

/** Names that are there when all migrations are done, in their order. */
function namesInSchema(): Set<string> {
  const names = new Set<string>()
  for (const [, verb, name = ''] of MIGRATIONS.join('\n').matchAll(SCHEMA_CHANGE)) {
    if (verb === 'CREATE') names.add(name)
    else names.delete(name)
  }
  return names
}
