import type { Duplex } from 'node:stream'
import zlib from 'node:zlib'

/** Unpacking of Zstandard as the runtime brings it. */
export interface Zstd {
  /** Throws where the bytes are damaged, or would unpack to more than `maxBytes`. */
  unpack(packed: Uint8Array, maxBytes: number): Buffer
  createUnpacker(): Duplex
}

/** Said of what is packed with Zstandard where it cannot be unpacked. */
export const NO_ZSTD = 'packed with zstd, which this version of Node cannot unpack (22.15 and later can)'

/** What Node has from 22.15 on; older types do not know it. */
interface ZlibWithZstd {
  zstdDecompressSync?: (packed: Uint8Array, options: { maxOutputLength: number }) => Buffer
  createZstdDecompress?: () => Duplex
}

/** The runtime's Zstandard, or undefined where it has none. */
export function loadZstd(): Zstd | undefined {
  const { zstdDecompressSync, createZstdDecompress }: ZlibWithZstd = zlib as ZlibWithZstd
  if (!zstdDecompressSync || !createZstdDecompress) return undefined
  return {
    unpack: (packed, maxBytes) => zstdDecompressSync(packed, { maxOutputLength: maxBytes }),
    createUnpacker: () => createZstdDecompress(),
  }
}
