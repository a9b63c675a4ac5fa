import { lstatSync } from 'node:fs'

/** Whether a folder is there, no link, and this user's alone: what others can write to says nothing about who listens there. */
export function isOwnFolder(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false })
  if (!found?.isDirectory()) return false
  // Windows has no such owners; its user folders are their user's alone.
  if (process.getuid === undefined) return true
  return found.uid === process.getuid() && (found.mode & 0o077) === 0
}
