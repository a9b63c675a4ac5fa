/**
 * Makes src/embedding/bundled/token-basis.bin from the texts of this project: the directions in which the model's token vectors
 * differ most. Run after a change of the model: npx tsx scripts/make-token-basis.ts
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Encoder } from '../src/embedding/bundled/encoder.ts'
import { HIDDEN, MAX_TOKENS, TOKEN_DIMENSIONS } from '../src/embedding/bundled/model-shape.ts'
import { Pack } from '../src/embedding/bundled/pack.ts'
import { loadPack } from '../src/embedding/bundled/pack-cache.ts'
import { BASIS_SCALE } from '../src/embedding/bundled/token-basis.ts'
import { Tokenizer } from '../src/embedding/bundled/tokenizer.ts'
import { cutWindows } from '../src/embedding/bundled/windows.ts'

const ROOT = join(import.meta.dirname, '..')
const ROUNDS = 60

function listTexts(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    if (statSync(path).isDirectory()) return listTexts(path)
    return /\.(?:md|jsonl)$/.test(name) ? [path] : []
  })
}

/** Sum of the outer products of all token vectors, each of unit length. */
async function sumProducts(texts: readonly string[]): Promise<{ sums: Float64Array; tokens: number }> {
  const cacheDir = mkdtempSync(join(tmpdir(), 'token-basis-'))
  const { source } = await loadPack(cacheDir)
  const pack = new Pack(source)
  const tokenizer = new Tokenizer(pack.readVocabulary())
  const encoder = new Encoder(pack, MAX_TOKENS)
  const sums = new Float64Array(HIDDEN * HIDDEN)
  let tokens = 0
  for (const window of texts.flatMap((text) => cutWindows(tokenizer.encode(text)))) {
    encoder.encode([window], (_, __, vector) => {
      const squares = vector.reduce((sum, value) => sum + value * value, 0)
      for (let row = 0; row < HIDDEN; row += 1) {
        const factor = (vector[row] ?? 0) / squares
        for (let at = 0; at < HIDDEN; at += 1) {
          const place = row * HIDDEN + at
          sums[place] = (sums[place] ?? 0) + factor * (vector[at] ?? 0)
        }
      }
      tokens += 1
    })
  }
  rmSync(cacheDir, { recursive: true, force: true })
  return { sums, tokens }
}

/** The leading eigenvectors of a symmetric matrix, a row each: orthogonal iteration. */
function findDirections(matrix: Float64Array, count: number): Float64Array {
  // Any start will do that has something of every direction.
  let rows = Float64Array.from({ length: count * HIDDEN }, (_, at) => Math.sin(at * 12.9898 + 1))
  for (let round = 0; round < ROUNDS; round += 1) {
    const next = new Float64Array(rows.length)
    for (let row = 0; row < count; row += 1) {
      for (let at = 0; at < HIDDEN; at += 1) {
        let sum = 0
        for (let k = 0; k < HIDDEN; k += 1) sum += (matrix[at * HIDDEN + k] ?? 0) * (rows[row * HIDDEN + k] ?? 0)
        next[row * HIDDEN + at] = sum
      }
    }
    rows = orthonormalise(next, count)
  }
  return rows
}

function orthonormalise(rows: Float64Array<ArrayBuffer>, count: number): Float64Array<ArrayBuffer> {
  for (let row = 0; row < count; row += 1) {
    const own = rows.subarray(row * HIDDEN, (row + 1) * HIDDEN)
    for (let before = 0; before < row; before += 1) {
      const other = rows.subarray(before * HIDDEN, (before + 1) * HIDDEN)
      const share = own.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0)
      own.forEach((value, at) => {
        own[at] = value - share * (other[at] ?? 0)
      })
    }
    const length = Math.hypot(...own)
    own.forEach((value, at) => {
      own[at] = value / length
    })
  }
  return rows
}

const files = [
  ...listTexts(join(ROOT, 'examples')),
  ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'bench/README.md'].map((name) => join(ROOT, name)),
]
const texts = files
  .flatMap((file) => readFileSync(file, 'utf8').split(/\n\n+|\n(?=[#-])/))
  .filter((text) => text.length > 20)
const { sums, tokens } = await sumProducts(texts)
const basis = findDirections(sums, TOKEN_DIMENSIONS)
const bytes = new DataView(new ArrayBuffer(basis.length * 2))
basis.forEach((value, at) => {
  bytes.setInt16(at * 2, Math.round(value * BASIS_SCALE), true)
})
writeFileSync(join(ROOT, 'src/embedding/bundled/token-basis.bin'), new Uint8Array(bytes.buffer))
console.log(`${TOKEN_DIMENSIONS} directions from ${tokens} tokens of ${files.length} files`)
