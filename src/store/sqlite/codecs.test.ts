import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MEMORY_TYPES, TIERS } from '../../model/memory.ts'
import { packEmbedText, unpackEmbedText } from '../content-codec.ts'
import { pickBest } from '../keyword-index/best-ordinals.ts'
import { packEntries, sortByBytes, unpackEntries } from '../keyword-index/posting-codec.ts'
import { allowedKinds, packKind, packRoster, unpackRoster } from '../keyword-index/roster.ts'
import { VarintReader, VarintWriter } from '../keyword-index/varint.ts'
import {
  filterCodePage,
  joinCodePages,
  makeCodePage,
  packCodePage,
  packFloats,
  unpackCodePage,
  unpackFloats,
} from '../vector-scan/vector-codec.ts'

describe('VarintWriter', () => {
  it('writes numbers of any size and sign, and bytes', () => {
    fc.assert(
      fc.property(fc.array(fc.maxSafeInteger()), (numbers) => {
        const small = numbers.map((number) => Math.trunc(number / 4))
        const writer = new VarintWriter(1)
        for (const number of small) writer.pushSigned(number)
        const reader = new VarintReader(writer.take())
        expect(small.map(() => reader.nextSigned() + 0)).toEqual(small.map((number) => number + 0))
        expect(reader.isDone).toBe(true)
      }),
    )
  })
})

describe('packEntries', () => {
  it('gives back the entries, in one piece or many', () => {
    const entry = fc.tuple(fc.integer({ min: 1, max: 100_000 }), fc.integer({ min: 1, max: 70_000 }))
    fc.assert(
      fc.property(
        fc.uniqueArray(entry, { selector: ([ordinal]) => ordinal }),
        fc.integer({ min: 1, max: 40 }),
        (given, bytes) => {
          const entries = given.sort((a, b) => a[0] - b[0]).flat()
          for (const pieces of [packEntries(entries), packEntries(entries, { maxBytes: bytes })]) {
            const unpacked: number[] = []
            for (const piece of pieces) {
              expect(piece.first).toBe(entries[unpacked.length])
              unpackEntries(piece.bytes, unpacked)
            }
            expect(unpacked).toEqual(entries)
          }
        },
      ),
    )
  })
})

describe('sortByBytes', () => {
  it('orders as SQLite does', () => {
    expect(sortByBytes(['𝒜', '\uffee', 'b', 'a', 'ab', ''])).toEqual(['', 'a', 'ab', 'b', '\uffee', '𝒜'])
  })
})

describe('packRoster', () => {
  it('gives back its members', () => {
    const member = fc.record({
      ordinal: fc.nat(),
      length: fc.nat(),
      kind: fc.nat(255),
      scope: fc.nat(),
      times: fc.array(fc.integer({ min: -1e13, max: 1e13 }), { maxLength: 3 }),
    })
    fc.assert(
      fc.property(fc.array(member), (members) => {
        expect(unpackRoster(packRoster(members))).toEqual(members)
      }),
    )
  })

  it('packs every kind of memory into a byte of its own', () => {
    const kinds = new Set<number>()
    const viewer = { tenant: 'local' }
    for (const category of ['memory', 'sessions'] as const) {
      for (const tier of TIERS) {
        for (const type of MEMORY_TYPES) {
          for (const state of ['active', 'stale', 'archived'] as const) {
            const kind = packKind({ category, tier, type, state })
            kinds.add(kind)
            const only = allowedKinds({ viewer, category, tiers: [tier], types: [type], states: [state] })
            expect(only.reduce((sum, allowed) => sum + allowed, 0)).toBe(1)
            expect(only[kind]).toBe(1)
          }
        }
      }
    }
    expect(kinds.size).toBe(2 * 3 * 8 * 3)
    expect(allowedKinds({ viewer }).reduce((sum, allowed) => sum + allowed, 0)).toBe(kinds.size)
  })
})

describe('packEmbedText', () => {
  it('gives back an embed text, whether it holds the text or not', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (before, text, after) => {
        for (const embedText of [before + text + after, before, text]) {
          expect(unpackEmbedText(packEmbedText({ embedText, text }), text)).toBe(embedText)
        }
      }),
    )
  })

  it('does not keep the text twice', () => {
    expect(packEmbedText({ embedText: 'Birds: heron', text: 'heron' })).not.toContain('heron')
  })
})

describe('vector codecs', () => {
  const windows = [Float32Array.of(0.5, -0.25, 0, 1), Float32Array.of(1e-3, 2e-3, -3e-3, 0)]

  it('keep floats as they are', () => {
    // As a row may give them: not where floats may lie.
    const bytes = new Uint8Array(1 + 32)
    bytes.set(packFloats(windows), 1)
    expect(unpackFloats(bytes.subarray(1), 4)).toEqual(windows)
  })

  it('round to a 127th of the largest number of the window, on pages of many', () => {
    const entries = [
      { ordinal: 7, windows },
      { ordinal: 4e9, windows: windows.slice(1) },
    ]
    const page = unpackCodePage(packCodePage(makeCodePage(entries, 4)))
    expect([...page.ordinals]).toEqual([7, 7, 4e9])
    const rows = [...windows, ...windows.slice(1)]
    rows.forEach((window, row) => {
      const scale = page.scales[row] ?? 0
      const step = Math.max(...window.map(Math.abs)) / 127
      window.forEach((value, at) => {
        expect(Math.abs((page.codes[row * 4 + at] ?? 0) * scale - value)).toBeLessThanOrEqual(step / 2 + 1e-9)
      })
    })
    const kept = filterCodePage(page, (ordinal) => ordinal !== 7)
    expect(kept).toEqual(makeCodePage(entries.slice(1), 4))
    expect(joinCodePages(makeCodePage(entries.slice(0, 1), 4), kept)).toEqual(page)
  })
})

describe('pickBest', () => {
  it('picks what sorting would pick', () => {
    const contender = fc.tuple(
      fc.integer({ min: 0, max: 4 }),
      fc.integer({ min: 0, max: 2 }),
      fc.string({ maxLength: 2 }),
    )
    fc.assert(
      fc.property(fc.array(contender), fc.nat(20), (given, limit) => {
        const ids = new Map(given.map(([, , id], ordinal) => [ordinal, `${id}${ordinal}`]))
        const ordinals = Int32Array.from(given, (_, ordinal) => ordinal)
        const keys = [Float64Array.from(given, ([key]) => key), Float64Array.from(given, ([, key]) => key)]
        const id = (ordinal: number): string => ids.get(ordinal) ?? ''
        const sorted = [...ordinals].sort((a, b) => {
          const byKey = (given[b]?.[0] ?? 0) - (given[a]?.[0] ?? 0) || (given[b]?.[1] ?? 0) - (given[a]?.[1] ?? 0)
          if (byKey !== 0 || id(a) === id(b)) return byKey
          return id(a) < id(b) ? -1 : 1
        })
        const picked = pickBest({ ordinals, keys }, limit, () => ids)
        expect(picked.sort((a, b) => a - b)).toEqual(sorted.slice(0, limit).sort((a, b) => a - b))
      }),
    )
  })
})
