import { readdir, readFile, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { readBasicNote } from './read-basic-note.ts'
import type { Reading } from './reading.ts'

/** Reads one note of basic-memory, or all below a folder, hidden ones and links left out. What cannot be read is skipped with a reason. */
export async function readBasicMemory(fileOrFolder: string): Promise<Reading> {
  const isFolder = (await stat(fileOrFolder)).isDirectory()
  const reading: Reading = { texts: [], skipped: [] }
  const files = isFolder ? await listNotes(fileOrFolder) : [fileOrFolder]
  for (const file of files) {
    const path = isFolder ? relative(fileOrFolder, file).replaceAll('\\', '/') : file.replace(/^.*[\\/]/, '')
    try {
      const { texts, skipped } = readBasicNote({ path, content: await readFile(file, 'utf8') })
      reading.texts.push(...texts)
      reading.skipped.push(...skipped)
    } catch (error) {
      reading.skipped.push({ path, reason: error instanceof Error ? error.message : String(error) })
    }
  }
  return reading
}

async function listNotes(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  return entries
    .filter((entry) => entry.isFile() && /\.md$/i.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter(
      (file) =>
        !relative(folder, file)
          .split(/[\\/]/)
          .some((part) => part.startsWith('.')),
    )
    .sort()
}
