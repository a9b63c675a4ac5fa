import { existsSync, statSync } from 'node:fs'
import { CHECK_SAMPLE_MEMORIES } from '../../options.ts'
import { indexTerms } from '../../text/index-terms.ts'
import type { StoreFinding } from '../memory-store.ts'
import type { Connection } from './connection.ts'
import { hashText } from './content-key.ts'
import { Drafts, findCanonical } from './drafts.ts'
import { isLogUnscrubbed } from './forget.ts'
import type { PostingIndex } from './posting-index.ts'
import { unpackRoster } from './roster.ts'
import type { Names } from './rows.ts'
import { unpackCodePage } from './vector-codec.ts'

export interface CheckedParts {
  connection: Connection
  names: Names
  postings: PostingIndex
}

const REINDEX = 'Run "madeleine index --full"'

/**
 * Compares texts, posting lists, places, rosters and vectors with each other, and checks the file and who may read it; within a
 * read transaction. The terms of at most CHECK_SAMPLE_MEMORIES memories are made anew (every n-th of a larger store);
 * all else is checked for all.
 */
export function checkStore(parts: CheckedParts): StoreFinding[] {
  const damages = checkFile(parts)
  // What is inside a damaged file cannot be judged.
  if (damages.length > 0) return damages
  return [...checkModes(parts), ...checkLog(parts), ...checkTerms(parts), ...checkPlaces(parts), ...checkVectors(parts)]
}

function checkFile({ connection }: CheckedParts): StoreFinding[] {
  const rows = [...connection.sql('PRAGMA integrity_check').all(), ...connection.sql('PRAGMA foreign_key_check').all()]
  const messages = rows.map((row) => Object.values(row).join(' ')).filter((message) => message !== 'ok')
  if (messages.length === 0) return []
  return [
    {
      id: 'store-damaged',
      severity: 'error',
      message: `The store is damaged: ${messages.slice(0, 3).join('; ')}`,
      remedy: 'Restore a backup, or move the file away and index again',
    },
  ]
}

/** Reported, never changed: somebody may have opened it to others on purpose. */
function checkModes({ connection }: CheckedParts): StoreFinding[] {
  if (process.platform === 'win32') return []
  const file = connection.location
  const open = [file, `${file}-wal`, `${file}-shm`].filter(
    (name) => existsSync(name) && (statSync(name).mode & 0o077) !== 0,
  )
  return open.map((name) => ({
    id: 'store-readable-by-others',
    severity: 'warning',
    message: `Others on this machine may read ${name}`,
    remedy: `Run "chmod 600 ${name}"`,
  }))
}

function checkLog({ connection }: CheckedParts): StoreFinding[] {
  if (!isLogUnscrubbed(connection)) return []
  return [
    {
      id: 'forgotten-in-log',
      severity: 'warning',
      message: `The log beside ${connection.location} may still hold what was forgotten`,
      remedy: 'Close other programs that use the store, then run "madeleine status"',
    },
  ]
}

function checkTerms({ connection, names, postings }: CheckedParts): StoreFinding[] {
  const ordinals = connection
    .sql('SELECT ordinal FROM memory ORDER BY ordinal')
    .all()
    .map((row) => Number(row.ordinal))
  const step = Math.max(1, Math.ceil(ordinals.length / CHECK_SAMPLE_MEMORIES))
  const sample = new Map(
    ordinals.filter((_, index) => index % step === 0).map((ordinal) => [ordinal, new Map<string, number>()]),
  )
  const known = new Set(ordinals)
  let strays = 0
  postings.scan((term, entries) => {
    for (let at = 0; at < entries.length; at += 2) {
      const ordinal = entries[at] ?? 0
      if (!known.has(ordinal)) strays += 1
      sample.get(ordinal)?.set(term, entries[at + 1] ?? 0)
    }
  })
  let wrong = 0
  for (const [ordinal, indexed] of sample) {
    const { stored } = new Drafts(connection, names).byOrdinal(ordinal)
    if (!stored) continue
    const { frequencies, length } = indexTerms(stored.content, stored.path)
    const isSame = frequencies.size === indexed.size && [...frequencies].every(([term, tf]) => indexed.get(term) === tf)
    if (!isSame || length !== stored.length) wrong += 1
  }
  const of = step > 1 ? ` of ${sample.size} that were looked at` : ''
  return [
    ...report(
      wrong,
      'keyword-index-differs',
      `The keyword index does not agree with the text of ${wrong} memories${of}`,
    ),
    ...report(strays, 'keyword-index-strays', `The keyword index has ${strays} entries of memories that are not there`),
  ]
}

function checkPlaces({ connection, names }: CheckedParts): StoreFinding[] {
  const rosters = new Map<number, { document: number; index: number; length: number }>()
  for (const { document, members } of connection.sql('SELECT document, members FROM roster').all()) {
    unpackRoster(members as Uint8Array).forEach(({ ordinal, length }, index) => {
      rosters.set(ordinal, { document: Number(document), index, length })
    })
  }
  let wrong = 0
  for (const { ordinal } of connection.sql('SELECT ordinal FROM memory').all()) {
    const { stored, places } = new Drafts(connection, names).byOrdinal(Number(ordinal))
    const canonical = findCanonical(places)
    const member = rosters.get(Number(ordinal))
    const isRight =
      canonical?.document === stored?.document &&
      canonical?.place.position === stored?.position &&
      places.length === stored?.placeCount &&
      member?.document === stored?.document &&
      member?.length === stored?.length
    if (!isRight) wrong += 1
    rosters.delete(Number(ordinal))
  }
  const lost = connection.sql(
    'SELECT count(*) AS n FROM document WHERE memory_count <> (SELECT count(*) FROM place p WHERE p.document = document.id)',
  )
  const miscounted = Number(lost.get()?.n)
  return [
    ...report(wrong, 'places-differ', `${wrong} memories do not stand where the store says`),
    ...report(rosters.size, 'roster-strays', `${rosters.size} memories are listed in documents and are not there`),
    ...report(
      miscounted,
      'documents-miscounted',
      `${miscounted} documents have another number of memories than recorded`,
    ),
  ]
}

function checkVectors({ connection, names }: CheckedParts): StoreFinding[] {
  const onPages = new Map<string, number>()
  for (const { id, identity, data } of connection.sql('SELECT id, identity, data FROM vector_page').iterate()) {
    for (const ordinal of unpackCodePage(data as Uint8Array).ordinals) {
      const key = [id, identity, ordinal].join(' ')
      onPages.set(key, (onPages.get(key) ?? 0) + 1)
    }
  }
  const rows = connection.sql(
    `SELECT e.ordinal, e.identity, e.windows, e.text_hash, e.page, i.dimensions, length(x.data) AS bytes
     FROM embedding e JOIN identity i ON i.id = e.identity LEFT JOIN vector_exact x ON x.id = e.exact`,
  )
  let wrong = 0
  for (const { ordinal, identity, windows, text_hash: textHash, page, dimensions, bytes } of rows.all()) {
    const embedText = new Drafts(connection, names).byOrdinal(Number(ordinal)).stored?.content.embedText
    const key = [page, identity, ordinal].join(' ')
    const isRight =
      (onPages.get(key) ?? 0) === windows &&
      Number(bytes ?? 0) === Number(windows) * Number(dimensions ?? 0) * Float32Array.BYTES_PER_ELEMENT &&
      embedText !== undefined &&
      hashText(embedText) === textHash
    if (!isRight) wrong += 1
    onPages.delete(key)
  }
  return [
    ...report(wrong, 'vectors-differ', `${wrong} memories have vectors that are not those of their text`),
    ...report(onPages.size, 'vector-strays', `There are vectors of ${onPages.size} memories that are not there`),
  ]
}

function report(count: number, id: string, message: string): StoreFinding[] {
  return count === 0 ? [] : [{ id, severity: 'error', message, remedy: REINDEX }]
}
