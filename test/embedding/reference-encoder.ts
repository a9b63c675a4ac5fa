import { readFileSync } from 'node:fs'

type Matrix = Float64Array[]

interface Tensor {
  shape: number[]
  values: Float64Array
}

/**
 * all-MiniLM-L6-v2 written down once more as the textbook has it: plain loops, double precision, one text at a time, slow.
 * It shares no code with the product and tells whether the product's vectors are right.
 */
export class ReferenceEncoder {
  readonly #tensors: Map<string, Tensor>

  constructor(weightsPath: string) {
    this.#tensors = readTensors(weightsPath)
  }

  /** Unit vector of a text whose ids stand between [CLS] and [SEP] already. */
  encode(ids: readonly number[]): number[] {
    let states = this.#norm('embeddings', this.#embed(ids))
    for (let layer = 0; layer < 6; layer += 1) states = this.#runLayer(`encoder.layer.${layer}`, states)
    const mean = Array.from({ length: 384 }, (_, at) => {
      let sum = 0
      for (const state of states) sum += get(state, at)
      return sum / states.length
    })
    const length = Math.hypot(...mean)
    return mean.map((value) => value / length)
  }

  #embed(ids: readonly number[]): Matrix {
    const words = this.#tensor('embeddings.word_embeddings.weight').values
    const positions = this.#tensor('embeddings.position_embeddings.weight').values
    const types = this.#tensor('embeddings.token_type_embeddings.weight').values
    return ids.map((id, position) =>
      new Float64Array(384).map(
        (_, at) => get(words, id * 384 + at) + get(positions, position * 384 + at) + get(types, at),
      ),
    )
  }

  #runLayer(name: string, input: Matrix): Matrix {
    const mixed = this.#linear(`${name}.attention.output.dense`, this.#attend(`${name}.attention.self`, input))
    const attended = this.#norm(`${name}.attention.output`, add(input, mixed))
    const expanded = this.#linear(`${name}.intermediate.dense`, attended).map((row) => row.map(gelu))
    return this.#norm(`${name}.output`, add(attended, this.#linear(`${name}.output.dense`, expanded)))
  }

  #attend(name: string, input: Matrix): Matrix {
    const queries = this.#linear(`${name}.query`, input)
    const keys = this.#linear(`${name}.key`, input)
    const values = this.#linear(`${name}.value`, input)
    return queries.map((query) => {
      const output = new Float64Array(384)
      for (let head = 0; head < 384; head += 32) {
        const scores = keys.map((key) => {
          let dot = 0
          for (let at = head; at < head + 32; at += 1) dot += get(query, at) * get(key, at)
          return dot / Math.sqrt(32)
        })
        const peak = Math.max(...scores)
        const weights = scores.map((score) => Math.exp(score - peak))
        const total = weights.reduce((sum, weight) => sum + weight, 0)
        values.forEach((value, index) => {
          for (let at = head; at < head + 32; at += 1) {
            output[at] = get(output, at) + (get(weights, index) / total) * get(value, at)
          }
        })
      }
      return output
    })
  }

  #linear(name: string, input: Matrix): Matrix {
    const weight = this.#tensor(`${name}.weight`)
    const bias = this.#tensor(`${name}.bias`).values
    const depth = get(weight.shape, 1)
    return input.map((row) =>
      new Float64Array(bias.length).map((_, column) => {
        let sum = get(bias, column)
        for (let at = 0; at < depth; at += 1) sum += get(row, at) * get(weight.values, column * depth + at)
        return sum
      }),
    )
  }

  #norm(name: string, input: Matrix): Matrix {
    const gain = this.#tensor(`${name}.LayerNorm.weight`).values
    const bias = this.#tensor(`${name}.LayerNorm.bias`).values
    return input.map((row) => {
      const mean = row.reduce((sum, value) => sum + value, 0) / row.length
      const variance = row.reduce((sum, value) => sum + (value - mean) ** 2, 0) / row.length
      return row.map((value, at) => ((value - mean) / Math.sqrt(variance + 1e-12)) * get(gain, at) + get(bias, at))
    })
  }

  #tensor(name: string): Tensor {
    const tensor = this.#tensors.get(name)
    if (!tensor) throw new Error(`no tensor ${name}`)
    return tensor
  }
}

function get(list: ArrayLike<number>, at: number): number {
  const value = list[at]
  if (value === undefined) throw new RangeError(`no element ${at} of ${list.length}`)
  return value
}

function add(a: Matrix, b: Matrix): Matrix {
  return a.map((row, index) => row.map((value, at) => value + get(b[index] ?? [], at)))
}

/** x · Φ(x), the error function by its Taylor series, which is exact to double precision for |x| < 6. */
function gelu(x: number): number {
  const z = x / Math.SQRT2
  if (Math.abs(z) > 4.5) return Math.max(x, 0)
  let term = z
  let sum = z
  for (let n = 1; Math.abs(term) > 1e-18 && n < 200; n += 1) {
    term *= (-z * z) / n
    sum += term / (2 * n + 1)
  }
  return (x * (1 + (2 / Math.sqrt(Math.PI)) * sum)) / 2
}

function readTensors(path: string): Map<string, Tensor> {
  const file = readFileSync(path)
  const headerEnd = 8 + Number(file.readBigUInt64LE(0))
  const header: Record<string, { shape: number[]; data_offsets: [number, number] }> = JSON.parse(
    file.toString('utf8', 8, headerEnd),
  )
  const tensors = new Map<string, Tensor>()
  for (const [name, { shape, data_offsets: offsets }] of Object.entries(header)) {
    if (name === '__metadata__') continue
    const count = (offsets[1] - offsets[0]) / 2
    const values = new Float64Array(count)
    for (let at = 0; at < count; at += 1) values[at] = halfToNumber(file.readUInt16LE(headerEnd + offsets[0] + at * 2))
    tensors.set(name, { shape, values })
  }
  return tensors
}

function halfToNumber(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1
  const exponent = (bits >> 10) & 0x1f
  const fraction = bits & 0x3ff
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15))
}
