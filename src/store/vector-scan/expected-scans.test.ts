import { describe, expect, it } from 'vitest'
import { ExpectedScans } from './expected-scans.ts'
import { toUnitVector } from './unit-vector.ts'
import { makeCodePage } from './vector-codec.ts'
import { VectorRows } from './vector-rows.ts'

const DIMENSIONS = 16
const makeVector = (seed: number): Float32Array =>
  toUnitVector(Float32Array.from({ length: DIMENSIONS }, (_, at) => Math.sin(seed * 7919 + at * 104_729 + 1)))

function makeRows(): VectorRows {
  const rows = new VectorRows(DIMENSIONS, { noNative: true })
  rows.reserve(60)
  // Some memories have several vectors, the last ones none.
  const entries = Array.from({ length: 50 }, (_, ordinal) => ({
    ordinal,
    windows: Array.from({ length: 1 + (ordinal % 3) }, (_, window) => makeVector(ordinal * 10 + window)),
  }))
  rows.add(makeCodePage(entries, DIMENSIONS))
  return rows
}

describe('queries that were announced', () => {
  const lists = [[makeVector(1)], [makeVector(2), makeVector(3)], [makeVector(4)], [makeVector(5)]]

  it('find what each finds alone', () => {
    const [rows, scans] = [makeRows(), new ExpectedScans()]
    scans.announce(rows, 7, lists)
    for (const list of lists)
      expect(
        scans.find(
          rows,
          7,
          list.map((one) => one.slice()),
        ),
      ).toEqual(rows.score(list))
  })

  it('are no answer to other queries, of other vectors, or after a change of the store', () => {
    const [rows, scans] = [makeRows(), new ExpectedScans()]
    scans.announce(rows, 7, lists)
    expect(scans.find(rows, 7, [makeVector(2)])).toBeNull()
    expect(scans.find(rows, 7, [makeVector(3), makeVector(2)])).toBeNull()
    expect(scans.find(rows, 8, [makeVector(1)])).toBeNull()
    expect(scans.find(makeRows(), 7, [makeVector(1)])).toBeNull()
  })
})
