import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { IMPORT_CONCURRENCY, type Madeleine, MadeleineError, type RememberOptions } from '../../index.ts'
import { readBasicMemory } from './read-basic-memory.ts'
import { readMem0 } from './read-mem0.ts'
import { readServerMemory } from './read-server-memory.ts'
import type { ImportedText, Reading, SkippedPart } from './reading.ts'

/** Programs whose memories can be taken over, each with what reads its file. */
const READERS = {
  'server-memory': async (file: string) => readServerMemory(await readFile(file, 'utf8')),
  mem0: async (file: string) => readMem0(await readFile(file, 'utf8')),
  'basic-memory': readBasicMemory,
} as const satisfies Record<string, (file: string) => Promise<Reading>>

export type ImportKind = keyof typeof READERS
export const IMPORT_KINDS = Object.keys(READERS) as ImportKind[]

export interface ImportReport {
  /** Texts that are remembered now and were not before. */
  imported: number
  /** Texts that an earlier import, or an equal one in the same file, has brought. */
  unchanged: number
  skipped: SkippedPart[]
}

export interface ImportOptions {
  kind: ImportKind
  file: string
  /** Whose memories they become, as far as it tells one owner's from another's: part of their ids. */
  owner: readonly string[]
}

/**
 * Remembers what a file of another program holds. The ids follow from what is imported, so that importing again adds nothing, and
 * goes on after an interruption. Rejects with SOURCE_UNREADABLE where the file cannot be read, with INVALID_OPTION where it is of
 * another kind, and as the store does.
 */
export async function importMemories(engine: Madeleine, { kind, file, owner }: ImportOptions): Promise<ImportReport> {
  const { texts, skipped } = await readExport(kind, file)
  const report: ImportReport = { imported: 0, unchanged: 0, skipped: [...skipped] }
  const waiting = texts.values()
  const work = async (): Promise<void> => {
    for (const one of waiting) {
      const outcome = await rememberOnce(engine, one, idOf(kind, owner, one))
      if (outcome === 'imported' || outcome === 'unchanged') report[outcome] += 1
      else report.skipped.push(outcome)
    }
  }
  await Promise.all(Array.from({ length: IMPORT_CONCURRENCY }, work))
  return report
}

async function readExport(kind: ImportKind, file: string): Promise<Reading> {
  try {
    return await READERS[kind](file)
  } catch (error) {
    if (error instanceof MadeleineError) throw error
    const message = error instanceof Error ? error.message : String(error)
    throw new MadeleineError('SOURCE_UNREADABLE', `Cannot import ${file}: ${message}`, {
      remedy: kind === 'basic-memory' ? 'Give a folder of notes or one note' : 'Give the file itself',
      cause: error,
    })
  }
}

async function rememberOnce(
  engine: Madeleine,
  { key: _, text, path, line, ...rest }: ImportedText,
  id: string,
): Promise<'imported' | 'unchanged' | SkippedPart> {
  const options: RememberOptions = { ...rest, id }
  try {
    await engine.remember(text, options)
    return 'imported'
  } catch (error) {
    if (!(error instanceof MadeleineError)) throw error
    if (error.code === 'ALREADY_EXISTS') return 'unchanged'
    if (error.code !== 'INVALID_OPTION') throw error
    return { ...(path !== undefined && { path }), ...(line !== undefined && { line }), reason: error.message }
  }
}

/** The program, and a hash of whose it is and what it says. */
function idOf(kind: ImportKind, owner: readonly string[], { key, text }: ImportedText): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([owner, key, text]))
    .digest('hex')
  return `${kind}-${hash.slice(0, 20)}`
}
