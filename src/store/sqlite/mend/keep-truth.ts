import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import type { Connection } from '../connection.ts'
import { DocumentNames } from '../document-names.ts'
import { addRemembered } from '../documents.ts'
import { PostingIndex } from '../posting-index.ts'
import { SqliteRows } from '../relationships/sqlite-rows.ts'
import { Scopes } from '../scopes.ts'
import { tombstoneKey } from '../tombstones.ts'
import { WriteSession } from '../write-session.ts'
import type { Truth } from './truth.ts'

/** Writes all of it into a new file of the user's own, one JSON object a line, safe on disk when it returns. */
export function writeTruth(file: string, truth: Truth, head: { store: string; at: string }): void {
  const lines: object[] = [
    { kind: 'kept', ...head, unread: truth.unread },
    ...truth.memories.map((memory) => ({ kind: 'memory', ...memory })),
    ...truth.strays.map((memory) => ({ kind: 'memory-of-unknown-origin', ...memory })),
    ...truth.tombstones.map(({ kind, ...tombstone }) => ({ kind: `forgotten-${kind}`, ...tombstone })),
    ...truth.accesses.map((access) => ({ kind: 'access', ...access })),
    ...truth.relationships.map((relationship) => ({ kind: 'relationship', ...relationship })),
    ...truth.reviews.map((review) => ({ kind: 'review', ...review })),
    ...truth.anchors.map(({ sketch, ...anchor }) => ({ kind: 'relationship-end', ...anchor, sketch: [...sketch] })),
    ...truth.states.map((state) => ({ kind: 'state', ...state })),
  ]
  const descriptor = openSync(file, 'wx', 0o600)
  try {
    for (const line of lines) writeSync(descriptor, `${JSON.stringify(line)}\n`)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Puts it into a new store, all or nothing. What was forgotten stays so, whatever else the damaged file says. */
export async function restoreTruth(connection: Connection, truth: Truth): Promise<void> {
  const names = { scopes: new Scopes(connection), documents: new DocumentNames(connection) }
  const postings = new PostingIndex(connection)
  await connection.write(
    () => {
      const buried = new Set(truth.tombstones.map(tombstoneKey))
      const bury = connection.sql('INSERT OR REPLACE INTO tombstone VALUES (?, ?, ?, ?, ?)')
      for (const { kind, tenant, root, key, forgottenAt } of truth.tombstones)
        bury.run(kind, tenant, root, key, forgottenAt)
      for (const { content, place } of truth.memories) {
        const { tenant } = content.scope
        if (buried.has(tombstoneKey({ kind: 'memory', tenant, root: '', key: content.id }))) continue
        addRemembered(connection, new WriteSession(connection, names, postings), { content, place })
      }
      while (postings.mergeNext());
      const note = connection.sql('INSERT OR REPLACE INTO access (id, count, last) VALUES (?, ?, ?)')
      for (const { id, count, last } of truth.accesses) note.run(id, count, last)
      restoreRelationships(new SqliteRows({ connection, names }), truth)
      const set = connection.sql('INSERT OR REPLACE INTO state (key, value) VALUES (?, ?)')
      for (const { key, value } of truth.states) set.run(key, value)
    },
    { isTruth: true },
  )
}

/** Their other ends come back when the documents are indexed; until then they dangle. */
function restoreRelationships(rows: SqliteRows, { tombstones, relationships, reviews, anchors }: Truth): void {
  const gone = new Set(tombstones.filter(({ kind }) => kind === 'memory').map(({ key }) => key))
  const isGone = (id: string): boolean => gone.has(id) && !rows.memory(id)
  for (const one of relationships) if (!isGone(one.sourceId) && !isGone(one.targetId)) rows.write(one)
  for (const review of reviews) if (!isGone(review.firstId) && !isGone(review.secondId)) rows.writeReview(review)
  for (const anchor of anchors) if (!isGone(anchor.id)) rows.writeAnchor(anchor)
}
