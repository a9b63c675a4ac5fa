import { createHash } from 'node:crypto'
import { ARCHIVE_PARTS, type ArchivePart, type ArchiveRecord } from './archive-record.ts'

const MODULUS = 1n << 256n

/** How many records a part has, and their digest. */
export interface PartDigest {
  records: number
  /** The sum of the SHA-256 of all its records modulo 2^256, in hex: the same in whatever order they come. */
  digest: string
}

export type ArchiveDigests = Record<ArchivePart, PartDigest>

/** Counts and sums the records of an archive, part by part. */
export class DigestTally {
  readonly #counts = new Map<ArchivePart, number>()
  readonly #sums = new Map<ArchivePart, bigint>()

  /** `line`: the record as JSON. */
  add({ part }: Pick<ArchiveRecord, 'part'>, line: string): void {
    const hash = BigInt(`0x${createHash('sha256').update(line).digest('hex')}`)
    this.#counts.set(part, (this.#counts.get(part) ?? 0) + 1)
    this.#sums.set(part, ((this.#sums.get(part) ?? 0n) + hash) % MODULUS)
  }

  take(): ArchiveDigests {
    const entries = ARCHIVE_PARTS.map((part) => {
      const digest = (this.#sums.get(part) ?? 0n).toString(16).padStart(64, '0')
      return [part, { records: this.#counts.get(part) ?? 0, digest }] as const
    })
    return Object.fromEntries(entries) as ArchiveDigests
  }
}

/** The parts in which two archives differ. */
export function findDifferences(a: ArchiveDigests, b: ArchiveDigests): ArchivePart[] {
  return ARCHIVE_PARTS.filter((part) => a[part]?.digest !== b[part]?.digest || a[part]?.records !== b[part]?.records)
}
