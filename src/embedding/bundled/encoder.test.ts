import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ReferenceEncoder } from '../../../test/embedding/reference-encoder.ts'
import { Encoder } from './encoder.ts'
import { HIDDEN } from './model-shape.ts'
import { Pack } from './pack.ts'
import { findModelFiles, loadPack } from './pack-cache.ts'
import { Tokenizer } from './tokenizer.ts'
import { closeWindow } from './windows.ts'

interface ReferenceVector {
  text: string
  ids: number[]
  vector: number[]
}

const references: ReferenceVector[] = JSON.parse(
  readFileSync(new URL('./fixtures/reference-vectors.json', import.meta.url), 'utf8'),
)
const cacheDir = mkdtempSync(join(tmpdir(), 'madeleine-encoder-'))
let encoder: Encoder
let tokenizer: Tokenizer

beforeAll(async () => {
  const pack = new Pack((await loadPack(cacheDir)).source)
  encoder = new Encoder(pack, 512)
  tokenizer = new Tokenizer(pack.readVocabulary())
})
afterAll(() => rmSync(cacheDir, { recursive: true, force: true }))

function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let dot = 0
  let squares = [0, 0]
  for (let at = 0; at < a.length; at += 1) {
    const [x, y] = [a[at] ?? 0, b[at] ?? 0]
    dot += x * y
    squares = [(squares[0] ?? 0) + x * x, (squares[1] ?? 0) + y * y]
  }
  return dot / Math.sqrt((squares[0] ?? 0) * (squares[1] ?? 0))
}

describe('Encoder', () => {
  it.each(references)('gives "$text" the vector of the full-precision model', ({ text, ids, vector }) => {
    const window = closeWindow(tokenizer.encode(text))
    expect([...window]).toEqual(ids)
    expect(cosine(encoder.encode([window]), vector)).toBeGreaterThan(0.998)
  })

  it('compares itself with vectors that the textbook computation gives', async () => {
    const textbook = new ReferenceEncoder((await findModelFiles()).weightsPath)
    for (const { ids, vector } of references.slice(0, 2)) {
      expect(cosine(textbook.encode(ids), vector)).toBeGreaterThan(0.999999)
    }
  })

  it('gives unit vectors', () => {
    const vector = encoder.encode([closeWindow([7592])])
    expect(Math.hypot(...vector)).toBeCloseTo(1, 5)
  })

  it('gives a text the same numbers alone, among others and the second time', () => {
    const windows = references.slice(0, 9).map(({ ids }) => Uint16Array.from(ids))
    const together = encoder.encode(windows)
    const again = encoder.encode([...windows].reverse())
    windows.forEach((window, index) => {
      const alone = encoder.encode([window])
      const mirrored = windows.length - 1 - index
      expect(together.subarray(index * HIDDEN, (index + 1) * HIDDEN)).toEqual(alone)
      expect(again.subarray(mirrored * HIDDEN, (mirrored + 1) * HIDDEN)).toEqual(alone)
    })
  })

  it('refuses more tokens than it has room for', () => {
    const window = Uint16Array.from(references.at(-1)?.ids ?? [])
    expect(() => encoder.encode([window, window, window])).toThrow(RangeError)
  })
})
