// Computes the vectors of src/embedding/bundled/fixtures/reference-vectors.json anew (takes minutes):
//   npx tsx test/embedding/write-reference-vectors.ts
// The ids in it come from Hugging Face's tokenizers 0.23, not from the product's tokenizer.
import { readFileSync, writeFileSync } from 'node:fs'
import { findModelFiles } from '../../src/embedding/bundled/pack-cache.ts'
import { ReferenceEncoder } from './reference-encoder.ts'

interface ReferenceVector {
  text: string
  ids: number[]
  vector: number[]
}

const file = new URL('../../src/embedding/bundled/fixtures/reference-vectors.json', import.meta.url)

async function main(): Promise<void> {
  const { weightsPath } = await findModelFiles()
  const encoder = new ReferenceEncoder(weightsPath)
  const entries: ReferenceVector[] = JSON.parse(readFileSync(file, 'utf8'))
  const lines = entries.map(({ text, ids }) => {
    const vector = encoder.encode(ids).map((value) => Number(value.toFixed(5)))
    return JSON.stringify({ text, ids, vector })
  })
  writeFileSync(file, `[\n${lines.join(',\n')}\n]\n`)
}

void main()
