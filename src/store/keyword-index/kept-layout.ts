/** Counts and lengths of one tenant, for averages. */
export interface TenantTotals {
  memories: number
  words: number
  windowWords: number
  documents: number
}

/** All that a layout holds, as it is kept for processes that have no time to read the rosters of all documents. */
export interface KeptLayout {
  sequence: number
  /** By ordinal. */
  time: Float64Array<ArrayBuffer>
  document: Int32Array<ArrayBuffer>
  previous: Int32Array<ArrayBuffer>
  next: Int32Array<ArrayBuffer>
  length: Int32Array<ArrayBuffer>
  windowLength: Int32Array<ArrayBuffer>
  scope: Int32Array<ArrayBuffer>
  isLive: Uint8Array<ArrayBuffer>
  kind: Uint8Array<ArrayBuffer>
  /** By number of document. */
  documentLength: Int32Array<ArrayBuffer>
  /** Of each document its number, how many memories it has, and their ordinals in order. */
  members: Int32Array<ArrayBuffer>
  scopeNumbers: number[]
  manyTimes: Array<[ordinal: number, times: number[]]>
  totals: Array<[tenant: string, totals: TenantTotals]>
}

/** Told from other forms, and from machines that store numbers the other way round. */
const FORM = 20261
const BY_ORDINAL = ['document', 'previous', 'next', 'length', 'windowLength', 'scope'] as const
/** Numbers at the beginning: form, sequence, and how much of each part follows. */
const HEAD = 6

export function packLayout(layout: KeptLayout): Uint8Array {
  const { sequence, time, documentLength, members, scopeNumbers, manyTimes, totals } = layout
  const rest = Buffer.from(JSON.stringify({ scopeNumbers, manyTimes, totals }))
  const head = Float64Array.of(FORM, sequence, time.length, documentLength.length, members.length, rest.length)
  const numbers = [...BY_ORDINAL.map((name) => layout[name]), documentLength, members]
  const parts = [head, time, ...numbers, layout.isLive, layout.kind, rest]
  return Buffer.concat(parts.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)))
}

/** Null for what this program, on this machine, did not pack. */
export function unpackLayout(packed: Uint8Array): KeptLayout | null {
  // Numbers of several bytes have to begin at multiples of them.
  const { buffer } = Uint8Array.from(packed)
  if (buffer.byteLength < HEAD * 8) return null
  const [form, sequence = 0, count = 0, documents = 0, members = 0, rest = 0] = new Float64Array(buffer, 0, HEAD)
  const size = HEAD * 8 + count * (8 + BY_ORDINAL.length * 4 + 2) + (documents + members) * 4 + rest
  if (form !== FORM || size !== buffer.byteLength) return null
  let at = HEAD * 8
  const take = <T>(
    make: new (from: ArrayBuffer, at: number, length: number) => T,
    width: number,
    length: number,
  ): T => {
    const taken = new make(buffer, at, length)
    at += width * length
    return taken
  }
  const time = take(Float64Array, 8, count)
  const [document, previous, next, length, windowLength, scope] = BY_ORDINAL.map(() => take(Int32Array, 4, count))
  if (!document || !previous || !next || !length || !windowLength || !scope) return null
  return {
    ...{ sequence, time, document, previous, next, length, windowLength, scope },
    documentLength: take(Int32Array, 4, documents),
    members: take(Int32Array, 4, members),
    isLive: take(Uint8Array, 1, count),
    kind: take(Uint8Array, 1, count),
    ...JSON.parse(Buffer.from(buffer, at).toString('utf8')),
  }
}
