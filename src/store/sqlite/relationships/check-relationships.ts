import type { StoreFinding } from '../../memory-store.ts'
import { forgetMemories } from '../../relationships/follow-edits.ts'
import type { Connection } from '../connection.ts'
import type { Names } from '../rows.ts'
import { SqliteRows } from './sqlite-rows.ts'

interface Parts {
  connection: Connection
  names: Names
}

/** Discovered relationships of ends that are not there, and any whose end no id stands for. */
const STRAY = `(found_by <> 0 AND (source IN (SELECT n.number FROM node n WHERE NOT EXISTS (SELECT 1 FROM memory m WHERE m.id = n.id))
    OR target IN (SELECT n.number FROM node n WHERE NOT EXISTS (SELECT 1 FROM memory m WHERE m.id = n.id))))
  OR source NOT IN (SELECT number FROM node) OR target NOT IN (SELECT number FROM node)`
const UNREADABLE = "NOT iif(json_valid(detail), json_type(detail) = 'array', 0) OR NOT (score BETWEEN 0 AND 1)"
const UNREADABLE_REVIEW = `NOT iif(json_valid(detail), json_type(detail) = 'array', 0)
  OR NOT iif(json_valid(history), json_type(history) = 'array', 0)`
const WITHOUT_MEMORY = 'id NOT IN (SELECT id FROM memory)'

/** Compares relationships, reviews and the queue of linking with the memories; within a read transaction. */
export function checkRelationships({ connection }: Parts): StoreFinding[] {
  const count = (from: string): number => Number(connection.sql(`SELECT count(*) AS n FROM ${from}`).get()?.n)
  const unreadable = count(`relationship WHERE ${UNREADABLE}`) + count(`review WHERE ${UNREADABLE_REVIEW}`)
  return [
    ...report(
      count(`relationship WHERE ${STRAY}`),
      'relationship-strays',
      (n) => `${n} relationships are of memories that are not there`,
    ),
    ...report(
      unreadable,
      'relationships-unreadable',
      (n) => `What is said of ${n} relationships or reviews cannot be read`,
    ),
    ...report(
      count(`awaiting_link WHERE ${WITHOUT_MEMORY}`),
      'link-queue-strays',
      (n) => `${n} memories wait to be linked and are not there`,
    ),
    ...report(
      findForgotten(connection).length,
      'forgotten-in-relationships',
      (n) => `Relationships or reviews name ${n} memories that were forgotten`,
    ),
  ]
}

/** The findings that mendRelationships answers. */
export const RELATIONSHIP_FINDINGS: readonly string[] = [
  'relationship-strays',
  'relationships-unreadable',
  'link-queue-strays',
  'forgotten-in-relationships',
]

/** Puts them in order; within a write transaction. What people said is kept as far as it can be read. */
export function mendRelationships(parts: Parts): void {
  const { connection } = parts
  const rows = new SqliteRows(parts)
  forgetMemories(rows, findForgotten(connection))
  const unreadable = connection.rows(
    `SELECT DISTINCT n.id FROM relationship r JOIN node n ON n.number IN (r.source, r.target)
     WHERE r.found_by <> 0 AND (${UNREADABLE})`,
  )
  rows.noteAwaiting(unreadable.map(([id]) => String(id)))
  connection.exec(`
    DELETE FROM relationship WHERE ${STRAY};
    DELETE FROM relationship WHERE found_by <> 0 AND (${UNREADABLE});
    UPDATE relationship SET detail = '["",0,[],0]', score = min(1, max(0, score)) WHERE ${UNREADABLE};
    UPDATE review SET detail = '["",[]]', history = iif(json_valid(history), history, '[]'),
      status = iif(json_valid(history), status, 'open') WHERE ${UNREADABLE_REVIEW};
    DELETE FROM awaiting_link WHERE ${WITHOUT_MEMORY};
    DELETE FROM node WHERE NOT EXISTS (SELECT 1 FROM memory m WHERE m.id = node.id)
      AND number NOT IN (SELECT source FROM relationship) AND number NOT IN (SELECT target FROM relationship);
  `)
}

/** Ids that were forgotten, are not there, and are named all the same. */
function findForgotten(connection: Connection): string[] {
  const rows = connection
    .sql(
      `SELECT t.key AS id FROM tombstone t WHERE t.kind = 'memory' AND t.key NOT IN (SELECT id FROM memory) AND (
         t.key IN (SELECT id FROM node) OR t.key IN (SELECT id FROM anchor) OR t.key IN (SELECT successor FROM anchor WHERE successor IS NOT NULL)
         OR t.key IN (SELECT first FROM review) OR t.key IN (SELECT second FROM review))`,
    )
    .all()
  return rows.map(({ id }) => String(id))
}

function report(count: number, id: string, describe: (count: number) => string): StoreFinding[] {
  if (count === 0) return []
  return [{ id, severity: 'error', message: describe(count), remedy: 'Run "madeleine doctor --fix"' }]
}
