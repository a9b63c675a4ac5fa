import { mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Makes a folder for its owner's eyes only (mode 0700), with what is missing above it; one that is there stays as it is. Throws the
 * system's error where it cannot. Step by step, because the runtime's own recursive way never returns where the system denies
 * that a parent exists and refuses to make it (below /proc, with Node 20).
 */
export function makeFolder(path: string): void {
  const missing: string[] = []
  let folder = resolve(path)
  while (statSync(folder, { throwIfNoEntry: false }) === undefined && dirname(folder) !== folder) {
    missing.push(folder)
    folder = dirname(folder)
  }
  for (const name of missing.reverse()) makeOne(name)
  if (!statSync(path).isDirectory()) throw Object.assign(new Error(`EEXIST: ${path} is a file`), { code: 'EEXIST' })
}

/** Another process may be making the same folder. */
function makeOne(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    const isThere = statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true
    if (!isThere) throw error
  }
}
