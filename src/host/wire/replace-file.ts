import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import { makeFolder } from '../../files/make-folder.ts'

/** What a configuration file gets that was not there: hosts keep keys in them. */
const PRIVATE_MODE = 0o600

/** The bytes and the text of a file; undefined where there is none. Throws where it is no UTF-8, or cannot be read. */
export function readText(path: string): string | undefined {
  if (!existsSync(path)) return undefined
  const bytes = readFileSync(path)
  const text = bytes.toString('utf8')
  if (!Buffer.from(text, 'utf8').equals(bytes)) throw new Error('it is no UTF-8 text')
  return text
}

/**
 * Puts a text in a file's place, whole or not at all, with the mode that the file had. A link stays a link: the file that it leads to is
 * replaced. Throws the system's error, and leaves nothing behind.
 */
export function replaceFile(path: string, text: string): void {
  const target = followLink(path)
  makeFolder(dirname(target))
  const mode = statSync(target, { throwIfNoEntry: false })?.mode ?? PRIVATE_MODE
  const draft = `${target}.${process.pid}.tmp`
  try {
    writeSynced(draft, text, mode & 0o777)
    renameSync(draft, target)
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Keeps a copy of a file beside it that only its owner may read. The answer is the copy's path; an older copy stays as it is. */
export function keepCopy(path: string, text: string): string {
  for (let number = 1; ; number++) {
    const copy = copyName(path, number)
    if (existsSync(copy)) continue
    writeSynced(copy, text, PRIVATE_MODE)
    return copy
  }
}

/** The copies that were kept of a file, newest first. */
export function copiesOf(path: string): string[] {
  const copies: string[] = []
  for (let number = 1; existsSync(copyName(path, number)); number++) copies.unshift(copyName(path, number))
  return copies
}

/** Gives a copy a name that nothing looks for any more. The answer is that name. */
export function setCopyAside(path: string, copy: string): string {
  for (let number = 1; ; number++) {
    const aside = `${path}.unwired-madeleine${number === 1 ? '' : number}`
    if (existsSync(aside)) continue
    renameSync(copy, aside)
    return aside
  }
}

function copyName(path: string, number: number): string {
  return `${path}.before-madeleine${number === 1 ? '' : number}`
}

function writeSynced(path: string, text: string, mode: number): void {
  const file = openSync(path, 'wx', mode)
  try {
    writeFileSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Where a file really is, also when its link leads to nothing yet. */
function followLink(path: string): string {
  if (existsSync(path)) return realpathSync(path)
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
  return isLink ? resolve(dirname(path), readlinkSync(path)) : path
}
