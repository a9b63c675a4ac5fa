import { copyFileSync, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Document, isCollection, isSeq, parseDocument } from 'yaml'
import { makeFolder } from '../files/make-folder.ts'
import { MadeleineError } from '../index.ts'
import type { SettingName } from './settings.ts'

const HEADER = ` Configuration of Madeleine. \`madeleine config\` shows what is in force and from where.
 Relative paths start at the folder of this file; ~ is your home folder.`

/** What the configuration is to hold: lists are added to, single values replace. */
export type ConfigAdditions = Partial<Record<SettingName, string | readonly string[]>>

/**
 * The configuration text with the additions in it. What the user wrote, comments included, stays.
 * `isSame` tells whether a value of a list is there already, written in whatever way.
 */
export function extendConfig(
  existing: string | undefined,
  additions: ConfigAdditions,
  isSame: (written: string, added: string) => boolean,
): { text: string; isChanged: boolean } {
  const document = parseDocument(existing ?? '')
  if (existing === undefined) document.commentBefore = HEADER
  let isChanged = existing === undefined
  for (const [name, value] of Object.entries(additions)) {
    if (value !== undefined && extendSetting(document, name, value, isSame)) isChanged = true
  }
  return { text: isChanged ? document.toString({ lineWidth: 0 }) : (existing ?? ''), isChanged }
}

function extendSetting(
  document: Document,
  name: string,
  value: string | readonly string[],
  isSame: (written: string, added: string) => boolean,
): boolean {
  if (typeof value === 'string') {
    if (document.get(name) === value) return false
    document.set(name, value)
    return true
  }
  const present = document.get(name)
  const listed = isCollection(present) ? (present.toJSON() as unknown[]) : present === undefined ? [] : [present]
  const written = listed.filter((item) => item !== null).map(String)
  const missing = value.filter((added) => !written.some((item) => isSame(item, added)))
  if (missing.length === 0) return false
  if (isSeq(present)) for (const added of missing) present.add(document.createNode(added))
  else document.set(name, document.createNode([...written, ...missing]))
  return true
}

/**
 * Writes the configuration for its owner's eyes only, whole or not at all. A file that was there is kept beside it;
 * the answer is the path of that copy. Throws INVALID_OPTION where nothing can be written at that path.
 */
export function writeConfig(path: string, text: string): { backup: string | undefined } {
  try {
    return writeWhole(path, text)
  } catch (cause) {
    const { message } = cause as Error
    throw new MadeleineError('INVALID_OPTION', `Cannot write the configuration ${path}: ${message}`, {
      remedy: 'Choose another file with --config, or check the permissions and the free space of its folder',
      cause,
    })
  }
}

function writeWhole(path: string, text: string): { backup: string | undefined } {
  makeFolder(dirname(path))
  let backup: string | undefined
  if (existsSync(path)) {
    backup = freeBackupName(path)
    copyFileSync(path, backup)
  }
  const draft = `${path}.${process.pid}.tmp`
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx' })
    renameSync(draft, path)
  } finally {
    rmSync(draft, { force: true })
  }
  return { backup }
}

function freeBackupName(path: string): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? `${path}.bak` : `${path}.bak${number}`
    if (!existsSync(name)) return name
  }
}
