import type { RelationshipRows } from '../relationships/kept.ts'
import { type AnchorRecord, type RelationshipRecord, type ReviewRecord, unpackAnchorRecord } from './archive-record.ts'

/** Records of relationships, each of which a store has rows for. */
export type RelationshipRowRecord = RelationshipRecord | ReviewRecord | AnchorRecord

/** Adds relationships, reviews and anchors that are not there yet, within a transaction. Returns how many. */
export function addRelationshipRows(rows: RelationshipRows, records: readonly RelationshipRowRecord[]): number {
  return records.filter((record) => addRow(rows, record)).length
}

function addRow(rows: RelationshipRows, record: RelationshipRowRecord): boolean {
  if (record.part === 'relationship') {
    const { part: _, ...relationship } = record
    if (rows.find(relationship)) return false
    rows.write(relationship)
    return true
  }
  if (record.part === 'review') {
    const { part: _, ...review } = record
    if (rows.review(review.id) || rows.reviewOf(review.firstId, review.secondId)) return false
    rows.writeReview(review)
    return true
  }
  if (rows.anchor(record.id)) return false
  rows.writeAnchor(unpackAnchorRecord(record))
  return true
}
