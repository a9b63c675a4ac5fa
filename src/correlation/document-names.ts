import { toPathKey } from '../text/entities/entity-forms.ts'
import { foldText } from '../text/word-tokens.ts'

/** A name as names are compared: letter case, Unicode composition and repeated white space say nothing. */
export function toName(name: string): string {
  return foldText(name.normalize('NFC').trim().replace(/\s+/g, ' '))
}

/** What a wikilink may call a document: its path or its file name, with or without ending; as names are compared. */
export function namesOfPath(path: string): string[] {
  const file = path.split('/').at(-1) ?? path
  return [path, withoutEnding(path), file, withoutEnding(file)].map(toName)
}

function withoutEnding(name: string): string {
  return name.replace(/\.[A-Za-z0-9]{1,8}$/, '')
}

/** Whether a written path names a document: relative to the workspace or to the file that it is written in, or absolute. */
export function isWrittenPathOf(
  written: string,
  { writtenIn, document }: { writtenIn: string; document: { root: string; path: string } },
): boolean {
  const path = toPathKey(written.trim())
  const target = toPathKey(document.path)
  if (path.startsWith('/') || /^[a-z]:\//.test(path)) return path === toPathKey(`${document.root}/${document.path}`)
  const folder = toPathKey(writtenIn).split('/').slice(0, -1)
  return path === target || resolvePath([...folder, ...path.split('/')]) === target
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
