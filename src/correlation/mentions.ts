import { formatHeader } from '../model/memory.ts'
import { toPathKey } from '../text/entities/entity-forms.ts'
import { type ComparedMemory, instantOf } from './compared-memory.ts'
import { MIN_QUOTED_WORDS } from './correlation-options.ts'
import { toName } from './document-names.ts'
import { speaksOfDecision } from './find-references.ts'
import { listNamedIds } from './subject-keys.ts'
import { readingOf, type TextReading } from './text-reading.ts'

/**
 * By which keys a memory may be referred to. Each reference that `findReferences` finds, quotations aside, makes a key of `listMentions`
 * of the one and of `listNames` of the other equal; equal keys do not make a reference yet.
 */
export function listNames(memory: ComparedMemory): string[] {
  const { id, place, headerPath } = memory
  const file = lastPart(place.path)
  return [
    `id ${id}`,
    `file ${toPathKey(file)}`,
    ...[file, withoutEnding(file), ...headerPath, formatHeader(headerPath)].map((name) => `name ${toName(name)}`),
    ...addressesOf(readingOf(memory)),
    ...(instantOf(memory) !== null || /\d/.test(place.path) ? ['day'] : []),
  ]
}

/** By which keys a memory may refer to others; `listNames` is the other side. */
export function listMentions(memory: ComparedMemory): string[] {
  const reading = readingOf(memory)
  const { text, links, entities } = reading
  return [
    ...listNamedIds(memory).map((id) => `id ${id}`),
    ...links.flatMap(({ kind, target }) =>
      kind === 'markdown'
        ? [`file ${toPathKey(lastPart(target))}`]
        : [`name ${toName(target)}`, `name ${toName(lastPart(target))}`, `id ${target}`],
    ),
    ...entities.flatMap(({ kind, start, end }) =>
      kind === 'path' ? [`file ${toPathKey(lastPart(text.slice(start, end)))}`] : [],
    ),
    ...addressesOf(reading),
    ...(speaksOfDecision(text) && reading.quantities.some(({ kind }) => kind === 'date') ? ['day'] : []),
  ]
}

/** Hashes (FNV-1a) of the runs of words that could be quoted, ascending. */
export function sketchGrams({ words }: TextReading): Uint32Array {
  const hashes = words.map(({ folded }) => hashText(folded))
  const count = Math.max(0, hashes.length - MIN_QUOTED_WORDS + 1)
  const grams = new Uint32Array(count)
  for (let at = 0; at < count; at++) {
    let hash = 0x811c9dc5
    for (let next = at; next < at + MIN_QUOTED_WORDS; next++) hash = Math.imul(hash ^ (hashes[next] ?? 0), 0x01000193)
    grams[at] = hash
  }
  return grams.sort()
}

/** FNV-1a, its upper bits mixed into the lower ones. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash ^ (hash >>> 15)
}

function addressesOf({ entities }: TextReading): string[] {
  return entities.flatMap(({ kind, key }) => (kind === 'url' ? [`address ${key}`] : []))
}

function lastPart(path: string): string {
  const parts = path
    .trim()
    .replace(/[\\/]+$/, '')
    .split(/[\\/]/)
  return parts.at(-1) ?? ''
}

function withoutEnding(name: string): string {
  return name.replace(/\.[A-Za-z0-9]{1,8}$/, '')
}
