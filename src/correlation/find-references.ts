import { formatHeader } from '../model/memory.ts'
import { findDates } from '../text/dates.ts'
import { isSameValue } from '../text/quantities.ts'
import { areAgents, type ComparedMemory, instantOf, isTurn } from './compared-memory.ts'
import { isWrittenPathOf, namesOfPath, toName } from './document-names.ts'
import { findQuotes } from './find-quotes.ts'
import type { Reference } from './reference.ts'
import { readingOf, TextReading } from './text-reading.ts'

/** Words by which a text says that something was settled on a day. */
const DECIDING =
  /\b(?:decid|decision|agree|chose|choos|settle|resolve|approve|sign(?:ed)? off|discuss|mention|noted|said|told|beschlossen|entschieden|vereinbart|décidé|convenu|decidido|acordado|deciso)|决定|商定|決め|決定|결정/iu
/** Whether a text says of anything that it was settled. */
export function speaksOfDecision(text: string): boolean {
  return DECIDING.test(text)
}

/** How far from a date such a word may stand, characters. */
const DECIDING_REACH = 60

/**
 * What of a text refers explicitly to another memory: a path or Markdown link to its file, a wikilink to its file, heading or title,
 * its id, at least MIN_QUOTED_WORDS of its words in a row, an address that both hold, and its day beside a word of deciding ("as
 * decided on 3 May"). In order of place. A wikilink resolves by exact name only, letter case and Unicode composition aside; a link in
 * code is none.
 */
export function findReferences(from: ComparedMemory, to: ComparedMemory): Reference[] {
  const found = [
    ...findLinks(from, to),
    ...findPaths(from, to),
    ...findIds(from.text, to.id),
    ...(areAgents(from, to) ? [] : findSharedAddresses(readingOf(from), readingOf(to))),
    ...findDecisions(from, to),
    ...findQuotations(from, to),
  ]
  found.sort((a, b) => a.start - b.start || b.end - a.end)
  let end = -1
  // One place is one reference, however many things it can be taken for.
  return found.filter((reference) => {
    if (reference.start < end) return false
    end = reference.end
    return true
  })
}

/** Whoever writes a note may quote; in talk words come again by habit, an answer repeats its question and an agent its code. */
function findQuotations(from: ComparedMemory, to: ComparedMemory): Reference[] {
  return from.text === to.text || (isTurn(from) && isTurn(to)) ? [] : findQuotes(readingOf(from), readingOf(to))
}

/** Whether a text refers to anything at all: where neither does, that there is no reference between two says nothing of them. */
export function makesReferences(text: string | TextReading): boolean {
  const reading = typeof text === 'string' ? new TextReading(text) : text
  if (reading.text.includes('](') || reading.text.includes('[[')) return true
  if (reading.entities.some(({ kind }) => kind === 'path' || kind === 'url')) return true
  return speaksOfDecision(reading.text) && reading.quantities.some(({ kind }) => kind === 'date')
}

function findLinks(from: ComparedMemory, to: ComparedMemory): Reference[] {
  const names = namesOf(to)
  return readingOf(from)
    .links.filter(({ kind, target, heading, start }) => {
      if (kind === 'markdown') return isPathTo(target, from, to)
      const place = from.meant?.get(start)
      if (from.meant && !(place?.path === to.place.path && place.root === to.place.root)) return false
      const isHeading = heading === undefined || to.headerPath.some((header) => toName(header) === toName(heading))
      return target !== '' && names.has(toName(target)) && isHeading
    })
    .map(({ kind, target, heading, start, end }) => {
      const isOfDocument = heading === undefined && (kind === 'markdown' || isNameOfDocument(target, to))
      return { kind: 'link', start, end, ...(isOfDocument && partOf(to)) }
    })
}

function isNameOfDocument(target: string, { place: { path }, headerPath }: ComparedMemory): boolean {
  return namesOfPath(path).includes(toName(target)) && !headerPath.some((header) => toName(header) === toName(target))
}

function partOf({ place: { position } }: ComparedMemory): { isPart?: true } {
  return position === 0 ? {} : { isPart: true }
}

/** What a wikilink may call a memory: its path or file name, with or without ending, and its own heading. */
function namesOf({ place: { path }, headerPath }: ComparedMemory): Set<string> {
  return new Set([...namesOfPath(path), ...[...headerPath, formatHeader(headerPath)].map(toName)])
}

function findPaths(from: ComparedMemory, to: ComparedMemory): Reference[] {
  return readingOf(from)
    .entities.filter(({ kind }) => kind === 'path')
    .filter(({ start, end }) => isPathTo(from.text.slice(start, end), from, to))
    .map(({ start, end }) => ({ kind: 'path', start, end, ...partOf(to) }))
}

/** Whether a written path names the file of a memory, which is not the one that it is written in. */
function isPathTo(written: string, from: ComparedMemory, to: ComparedMemory): boolean {
  if (to.place.path === '' || (from.place.path === to.place.path && from.place.root === to.place.root)) return false
  return isWrittenPathOf(written, { writtenIn: from.place.path, document: to.place })
}

const MIN_ID_CHARS = 6

function findIds(text: string, id: string): Reference[] {
  if (id.length < MIN_ID_CHARS) return []
  const found: Reference[] = []
  for (let at = text.indexOf(id); at !== -1; at = text.indexOf(id, at + id.length)) {
    const end = at + id.length
    if (
      !/[\p{L}\p{N}]$/u.test(text.slice(Math.max(0, at - 2), at)) &&
      !/^[\p{L}\p{N}]/u.test(text.slice(end, end + 2))
    ) {
      found.push({ kind: 'id', start: at, end })
    }
  }
  return found
}

function findSharedAddresses(from: TextReading, to: TextReading): Reference[] {
  if (!from.text.includes('://') || !to.text.includes('://')) return []
  const addresses = new Map(
    to.entities.flatMap(({ kind, key, start, end }) => (kind === 'url' ? [[key, { start, end }] as const] : [])),
  )
  return from.entities.flatMap(({ kind, key, start, end }): Reference[] => {
    const target = kind === 'url' ? addresses.get(key) : undefined
    return target ? [{ kind: 'url', start, end, target }] : []
  })
}

function findDecisions(from: ComparedMemory, to: ComparedMemory): Reference[] {
  const reading = readingOf(from)
  const { text } = reading
  if (!speaksOfDecision(text)) return []
  const instant = instantOf(to)
  const days = new Set(findDates(to.place.path.replaceAll('/', ' ')))
  // The local day as the memory's own offset has it.
  if (instant !== null) days.add((to.place.occurredAt ?? '').slice(0, 10))
  if (days.size === 0) return []
  return reading.quantities.flatMap((quantity): Reference[] => {
    const { kind, start, end } = quantity
    if (kind !== 'date') return []
    if (
      ![...days].some(
        (value) =>
          isSameValue(quantity, { ...quantity, value }) &&
          value.length >= quantity.value.length &&
          quantity.value.length !== 7,
      )
    )
      return []
    const around = text.slice(Math.max(0, start - DECIDING_REACH), end + DECIDING_REACH)
    return speaksOfDecision(around) ? [{ kind: 'decision', start, end }] : []
  })
}
