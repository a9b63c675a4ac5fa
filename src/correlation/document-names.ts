import { toPathKey } from '../text/entities/entity-forms.ts'
import { foldText } from '../text/word-tokens.ts'

/** A name as names are compared: letter case, Unicode composition and repeated white space say nothing. */
export function toName(name: string): string {
  return foldText(name.normalize('NFC').trim().replace(/\s+/g, ' '))
}

/** What a wikilink may call a document: its path or any last parts of it, with or without ending; as names are compared. */
export function namesOfPath(path: string): string[] {
  const parts = path.split('/')
  return parts.flatMap((_, at) => {
    const name = parts.slice(at).join('/')
    return [name, withoutEnding(name)].map(toName)
  })
}

function withoutEnding(name: string): string {
  return name.replace(/\.[A-Za-z0-9]{1,8}$/, '')
}

/** Whether a written path names a document: relative to the workspace or to the file that it is written in, or absolute. */
export function isWrittenPathOf(
  written: string,
  { writtenIn, document }: { writtenIn: string; document: { root: string; path: string } },
): boolean {
  return meantPaths(written, writtenIn).some((meant) => pathKeysOf(document).includes(meant))
}

/** The keys of the paths that a written one can mean, the likelier first. */
export function meantPaths(written: string, writtenIn: string): string[] {
  const path = toPathKey(written.trim())
  if (isAbsolute(path)) return [path]
  const folder = toPathKey(writtenIn).split('/').slice(0, -1)
  const fromFile = resolvePath([...folder, ...path.split('/')])
  return fromFile === undefined ? [path] : [fromFile, path]
}

/** The keys under which a document is meant: in its workspace, and on the disk where it has a folder there. */
export function pathKeysOf({ root, path }: { root: string; path: string }): string[] {
  const whole = toPathKey(`${root}/${path}`)
  return isAbsolute(whole) ? [toPathKey(path), whole] : [toPathKey(path)]
}

function isAbsolute(key: string): boolean {
  return key.startsWith('/') || /^[a-z]:\//.test(key)
}

function resolvePath(parts: readonly string[]): string | undefined {
  const resolved: string[] = []
  for (const part of parts) {
    if (part === '' || part === '.') continue
    if (part !== '..') resolved.push(part)
    else if (resolved.pop() === undefined) return undefined
  }
  return resolved.join('/')
}
