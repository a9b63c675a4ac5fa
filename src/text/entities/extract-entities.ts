import { findQuantities } from '../quantities.ts'
import type { Entity, EntityKind } from './entity.ts'
import { ENTITY_FORMS } from './entity-forms.ts'
import { findNames } from './find-names.ts'

const TRAILING = /[.,;:!?'"’”)\]}>*_]+$/u

/**
 * What a text names: addresses, paths, hosts, issues, commits, versions, handles, identifiers, dates, amounts with a unit, and names.
 * In order, none overlapping, each occurrence. Deterministic, and linear in the length of the text.
 */
export function extractEntities(text: string): Entity[] {
  const found: Entity[] = []
  const taken = new Uint8Array(text.length)
  const add = (kind: EntityKind, key: string, start: number, end: number): void => {
    if (key === '' || end <= start || end > text.length) return
    for (let at = start; at < end; at++) if (taken[at] === 1) return
    taken.fill(1, start, end)
    found.push({ kind, key, start, end })
  }
  const addForms = (kinds: (kind: EntityKind) => boolean): void => {
    for (const { kind, pattern, toKey } of ENTITY_FORMS) {
      if (!kinds(kind)) continue
      for (const match of text.matchAll(pattern)) {
        const raw = match.groups?.entity ?? match[0]
        const start = match.index + match[0].indexOf(raw)
        const written = kind === 'identifier' || kind === 'issue' ? raw : raw.replace(TRAILING, '')
        const key = toKey(written)
        if (key !== undefined) add(kind, key, start, start + written.length)
      }
    }
  }
  addForms((kind) => kind !== 'identifier' && kind !== 'commit')
  for (const { kind, value, units, isMeasure, start, end } of findQuantities(text)) {
    if (kind === 'date') add('date', value, start, end)
    if (kind === 'version') add('version', `v${value}`, start, end)
    if (kind === 'number' && isMeasure && units[0] !== 'year') add('amount', `${value} ${units[0] ?? ''}`, start, end)
  }
  addForms((kind) => kind === 'commit' || kind === 'identifier')
  for (const { key, start, end } of findNames(text)) add('name', key, start, end)
  return found.sort((a, b) => a.start - b.start)
}
