import { messageOf } from '../../errors.ts'
import { CHECK_SAMPLE_MEMORIES } from '../../options.ts'
import { indexTerms } from '../../text/index-terms.ts'
import { hashText } from '../content-key.ts'
import { unpackRoster } from '../keyword-index/roster.ts'
import type { StoreFinding } from '../memory-store.ts'
import { MEND_REMEDY } from '../store-errors.ts'
import { unpackCodePage } from '../vector-scan/vector-codec.ts'
import { findCanonical } from '../write-plan/draft.ts'
import { checkSurroundings } from './check-surroundings.ts'
import type { Connection } from './connection.ts'
import { isBusy, isSqliteError } from './database.ts'
import { Drafts } from './drafts.ts'
import { isLogUnscrubbed } from './forget.ts'
import { missingParts } from './missing-parts.ts'
import type { PostingIndex } from './posting-index.ts'
import { checkRelationships } from './relationships/check-relationships.ts'
import type { Names } from './rows.ts'
import { findUnreadableStates } from './states.ts'

export interface CheckedParts {
  connection: Connection
  names: Names
  postings: PostingIndex
}

const REPAIR = 'Run "madeleine doctor --fix"'

/**
 * Compares texts, posting lists, places, rosters, vectors, relationships and tombstones with each other, and checks the file and who may read it;
 * within a read transaction. The terms of at most CHECK_SAMPLE_MEMORIES memories are made anew (every n-th of a larger store);
 * all else is checked for all.
 */
export function checkStore(parts: CheckedParts): StoreFinding[] {
  const damages = checkFile(parts)
  // What is inside a damaged file cannot be judged.
  if (damages.length > 0) return [...damages, ...checkSurroundings(parts.connection)]
  return [
    ...checkSurroundings(parts.connection),
    ...checkLog(parts),
    ...checkStates(parts),
    ...checkForgotten(parts),
    ...checkContents(parts),
  ]
}

function checkFile({ connection }: CheckedParts): StoreFinding[] {
  const read = (): string[] => {
    const rows = [
      ...connection.sql('PRAGMA integrity_check').all(),
      // Vectors can be made anew: checkVectors looks at where theirs lead.
      ...connection
        .sql('PRAGMA foreign_key_check')
        .all()
        .filter(({ parent }) => parent !== 'vector_page' && parent !== 'vector_exact'),
    ]
    return rows.map((row) => Object.values(row).join(' ')).filter((message) => message !== 'ok')
  }
  try {
    const missing = missingParts(connection)
    const messages = missing.length > 0 ? [`it has no ${missing.join(', ')}`] : read()
    return messages.length === 0 ? [] : [damageFinding(messages.slice(0, 3).join('; '))]
  } catch (error) {
    if (!isSqliteError(error) || isBusy(error)) throw error
    return [damageFinding(messageOf(error))]
  }
}

/** Whatever cannot even be taken apart is damage too. */
function checkContents(parts: CheckedParts): StoreFinding[] {
  try {
    return [...checkTerms(parts), ...checkPlaces(parts), ...checkVectors(parts), ...checkRelationships(parts)]
  } catch (error) {
    if (isBusy(error)) throw error
    return [damageFinding(messageOf(error))]
  }
}

function damageFinding(what: string): StoreFinding {
  return { id: 'store-damaged', severity: 'error', message: `The store is damaged: ${what}`, remedy: MEND_REMEDY }
}

function checkLog({ connection }: CheckedParts): StoreFinding[] {
  if (!isLogUnscrubbed(connection)) return []
  return [
    {
      id: 'forgotten-in-log',
      severity: 'warning',
      message: `The log beside ${connection.location} may still hold what was forgotten`,
      remedy: 'Close other programs that use the store, then run "madeleine doctor --fix"',
    },
  ]
}

function checkStates({ connection }: CheckedParts): StoreFinding[] {
  const keys = findUnreadableStates(connection)
  return report(
    keys.length,
    'state-unreadable',
    `${keys.length} values of the state cannot be read: ${keys.join(', ')}`,
  )
}

function checkForgotten({ connection }: CheckedParts): StoreFinding[] {
  const { ids, documents } = findForgottenThere(connection)
  return report(
    ids.length + documents.length,
    'forgotten-but-there',
    `${ids.length} memories and ${documents.length} documents were forgotten and are there all the same`,
  )
}

/** What a tombstone stands against and the store holds. */
export function findForgottenThere(connection: Connection): {
  ids: string[]
  documents: Array<{ root: string; path: string }>
} {
  const memories = connection.sql(
    `SELECT m.id FROM memory m JOIN scope s ON s.id = m.scope
     JOIN tombstone t ON t.kind = 'memory' AND t.tenant = s.tenant AND t.root = '' AND t.key = m.id ORDER BY m.id`,
  )
  const documents = connection.sql(
    `SELECT d.root, d.path FROM document d
     JOIN tombstone t ON t.kind = 'document' AND t.tenant = d.tenant AND t.root = d.root AND t.key = d.path
     ORDER BY d.root, d.path`,
  )
  return {
    ids: memories.all().map(({ id }) => String(id)),
    documents: documents.all().map(({ root, path }) => ({ root: String(root), path: String(path) })),
  }
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
  const isReadable = canTakeApart(() => {
    postings.scan((term, entries) => {
      for (let at = 0; at < entries.length; at += 2) {
        const ordinal = entries[at] ?? 0
        if (!known.has(ordinal)) strays += 1
        sample.get(ordinal)?.set(term, entries[at + 1] ?? 0)
      }
    })
  })
  if (!isReadable) return report(1, 'keyword-index-differs', 'The keyword index cannot be read')
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
  const isReadable = canTakeApart(() => {
    for (const { document, members } of connection.sql('SELECT document, members FROM roster').all()) {
      unpackRoster(members as Uint8Array).forEach(({ ordinal, length }, index) => {
        rosters.set(ordinal, { document: Number(document), index, length })
      })
    }
  })
  if (!isReadable) return report(1, 'places-differ', 'The lists of which memory stands where cannot be read')
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
  const isReadable = canTakeApart(() => {
    for (const { id, identity, data } of connection.sql('SELECT id, identity, data FROM vector_page').iterate()) {
      for (const ordinal of unpackCodePage(data as Uint8Array).ordinals) {
        const key = [id, identity, ordinal].join(' ')
        onPages.set(key, (onPages.get(key) ?? 0) + 1)
      }
    }
  })
  if (!isReadable) return report(1, 'vectors-differ', 'The vectors cannot be read')
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

/** False when packed bytes make no sense; what SQLite itself says of the file is passed on. */
function canTakeApart(read: () => void): boolean {
  try {
    read()
    return true
  } catch (error) {
    if (isSqliteError(error)) throw error
    return false
  }
}

function report(count: number, id: string, message: string): StoreFinding[] {
  return count === 0 ? [] : [{ id, severity: 'error', message, remedy: REPAIR }]
}
