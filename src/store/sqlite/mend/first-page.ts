import { closeSync, existsSync, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { APPLICATION_ID } from '../migrations.ts'

/** Where things stand in the first page of a database: SQLite's file format, section 1.3. */
const AT = { pageSize: 16, pageCount: 28, freeTrunk: 32, freeCount: 36, userVersion: 60, applicationId: 68 } as const
const HEADER_BYTES = 100
const MAGIC = 'SQLite format 3\0'
/** Stands in the schema of every store and of nothing else. */
const TRACE = 'CREATE TABLE posting_page'
/** The schema is written first: it stands near the beginning, or in a log that has not been emptied yet. */
const TRACE_WITHIN = 1024 * 1024
const DEFAULT_PAGE_SIZE = 4096

/** Whether a file, or the log beside it, is or was a store of ours, however damaged. */
export function looksLikeStore(file: string): boolean {
  const head = readHead(file, TRACE_WITHIN)
  if (head.length >= HEADER_BYTES && isOurs(head)) return true
  return [head, readHead(`${file}-wal`, TRACE_WITHIN)].some((bytes) => bytes.includes(TRACE))
}

/** The version of the schema that an undamaged header of ours names, else 0. */
export function readSchemaVersion(file: string): number {
  const head = readHead(file, HEADER_BYTES)
  const isSound = head.length === HEADER_BYTES && head.toString('latin1', 0, MAGIC.length) === MAGIC && isOurs(head)
  return isSound ? head.readUInt32BE(AT.userVersion) : 0
}

/** Says in the header how many pages there are: of a file that was cut off, nothing is read otherwise. */
export function correctPageCount(file: string): void {
  const descriptor = openSync(file, 'r+')
  try {
    const head = Buffer.alloc(HEADER_BYTES)
    if (readSync(descriptor, head, 0, HEADER_BYTES, 0) < HEADER_BYTES) return
    // 1 stands for 65,536.
    const given = head.readUInt16BE(AT.pageSize)
    const pageSize = given === 1 ? 65_536 : given || DEFAULT_PAGE_SIZE
    head.writeUInt32BE(Math.ceil(fstatSync(descriptor).size / pageSize), AT.pageCount)
    writeSync(descriptor, head, AT.pageCount, 4, AT.pageCount)
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Puts the first page of a new store in place of a damaged one: it says where the tables begin, and in every store those of the
 * first version begin at the same places.
 */
export function replaceFirstPage(file: string, newStore: string): void {
  const page = readHead(newStore, DEFAULT_PAGE_SIZE)
  page.writeUInt32BE(0, AT.freeTrunk)
  page.writeUInt32BE(0, AT.freeCount)
  const descriptor = openSync(file, 'r+')
  try {
    writeSync(descriptor, page, 0, page.length, 0)
  } finally {
    closeSync(descriptor)
  }
  correctPageCount(file)
}

function isOurs(head: Buffer): boolean {
  return head.readUInt32BE(AT.applicationId) === APPLICATION_ID
}

function readHead(file: string, bytes: number): Buffer {
  if (!existsSync(file)) return Buffer.alloc(0)
  const descriptor = openSync(file, 'r')
  try {
    const head = Buffer.alloc(Math.min(bytes, fstatSync(descriptor).size))
    return head.subarray(0, readSync(descriptor, head, 0, head.length, 0))
  } finally {
    closeSync(descriptor)
  }
}
