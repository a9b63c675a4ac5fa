import type { LedgerEntry } from '../index.ts'
import type { Colors } from './output.ts'
import { alignColumns, cleanLine } from './terminal-text.ts'

/** The classes of a root or of everything: what became of characters, and how many of them did. */
type Classes = ReadonlyMap<string, number>

const KEPT = new Set(['indexed', 'duplicate'])

/**
 * What became of the characters of each root, the root that lost the largest share first, and in it the largest class first.
 */
export function describeLedger(
  ledger: readonly LedgerEntry[],
  colors: Colors,
  shorten: (path: string) => string,
): string[] {
  const roots = new Map<string, LedgerEntry[]>()
  for (const entry of ledger) roots.set(entry.root, [...(roots.get(entry.root) ?? []), entry])
  const ranked = [...roots]
    .map(([root, entries]) => ({ root, entries, classes: sumClasses(entries), characters: countAll(entries) }))
    .sort((a, b) => lostShare(b) - lostShare(a))
  const lines = [`  ledger   ${countAll(ledger).toLocaleString('en')} characters in ${ledger.length} files`]
  for (const { root, entries, classes, characters } of ranked) {
    lines.push(
      `    ${cleanLine(shorten(root))}  ${colors.dim(`${characters.toLocaleString('en')} in ${entries.length}`)}`,
    )
    const rows = [...classes]
      .filter(([, count]) => count > 0)
      .sort(([, a], [, b]) => b - a)
      .map(([name, count]) => [
        '     ',
        count.toLocaleString('en'),
        `${((100 * count) / characters).toFixed(1)} %`,
        name,
      ])
    lines.push(...alignColumns(rows, [1, 2]))
  }
  return lines
}

function sumClasses(entries: readonly LedgerEntry[]): Classes {
  const sums = new Map<string, number>()
  const add = (name: string, count: number): void => {
    sums.set(name, (sums.get(name) ?? 0) + count)
  }
  for (const { indexed, duplicate, redacted, structure, stripped, skipped } of entries) {
    add('indexed', indexed)
    add('duplicate', duplicate)
    add('redacted: secrets', redacted)
    add('structure: syntax and bookkeeping of records', structure)
    for (const [rule, count] of Object.entries(stripped)) add(`stripped: ${cleanLine(rule)}`, count)
    for (const [reason, count] of Object.entries(skipped)) add(`skipped: ${cleanLine(reason)}`, count)
  }
  return sums
}

function countAll(entries: readonly LedgerEntry[]): number {
  return entries.reduce((sum, { characters }) => sum + characters, 0)
}

function lostShare({ classes, characters }: { classes: Classes; characters: number }): number {
  let kept = 0
  for (const [name, count] of classes) if (KEPT.has(name)) kept += count
  return characters === 0 ? 0 : 1 - kept / characters
}
