import pc from 'picocolors'
import { describe, expect, it } from 'vitest'
import type { LedgerEntry } from '../index.ts'
import { describeLedger } from './show-ledger.ts'

function entry(root: string, counts: Partial<LedgerEntry>): LedgerEntry {
  const none = { indexed: 0, duplicate: 0, redacted: 0, structure: 0, stripped: {}, skipped: {} }
  return { root, path: 'a', characters: 0, ...none, ...counts }
}

const show = (ledger: readonly LedgerEntry[]): string[] =>
  describeLedger(ledger, pc.createColors(false), (path) => path).map((line) => line.trim().replace(/\s+/g, ' '))

describe('the ledger on the terminal', () => {
  it('shows the root that lost most first, and in it the largest class, files added up', () => {
    const lines = show([
      entry('/notes', { characters: 100, indexed: 99, stripped: { 'blank lines': 1 } }),
      entry('/talk', { characters: 1500, indexed: 200, duplicate: 100, structure: 700, skipped: { thinking: 500 } }),
      entry('/talk', { characters: 500, indexed: 100, redacted: 50, skipped: { thinking: 350 } }),
    ])
    expect(lines).toEqual([
      'ledger 2,100 characters in 3 files',
      '/talk 2,000 in 2',
      '850 42.5 % skipped: thinking',
      '700 35.0 % structure: syntax and bookkeeping of records',
      '300 15.0 % indexed',
      '100 5.0 % duplicate',
      '50 2.5 % redacted: secrets',
      '/notes 100 in 1',
      '99 99.0 % indexed',
      '1 1.0 % stripped: blank lines',
    ])
  })

  it('is one line where there is nothing', () => {
    expect(show([])).toEqual(['ledger 0 characters in 0 files'])
  })
})
