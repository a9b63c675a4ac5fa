/** Share of bytes in a file's head that no text has (control bytes, NUL): above it, the file is binary. */
const MAX_CONTROL_SHARE = 0.1
const PROBE_BYTES = 8192

/**
 * Bytes of a text file as text, without byte order mark: UTF-8, UTF-16 with its mark, else Windows-1252, which old editors
 * write. Undefined for binary content; a single NUL does not make a text binary.
 */
export function decodeText(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  if (isBinary(bytes)) return undefined
  const text = new TextDecoder('utf-8').decode(bytes)
  return looksLikeOldEncoding(text) ? new TextDecoder('windows-1252').decode(bytes) : text
}

function isBinary(bytes: Uint8Array): boolean {
  const length = Math.min(bytes.length, PROBE_BYTES)
  let control = 0
  for (let i = 0; i < length; i++) {
    const byte = bytes[i] ?? 0
    if (byte < 9 || (byte > 13 && byte < 32 && byte !== 27)) control += 1
  }
  return control > 2 && control > length * MAX_CONTROL_SHARE
}

/** Broken UTF-8 and not one good letter beyond ASCII: the file was never UTF-8. One damaged character in a UTF-8 file is not enough. */
function looksLikeOldEncoding(text: string): boolean {
  return text.includes('\ufffd') && !/[^\x00-\x7f\ufffd]/.test(text)
}

const REPLACEMENT = /\ufffd/g
const BEYOND_ASCII = /[^\x00-\x7f]/g
/** Texts in Latin script have fewer letters beyond ASCII; what has more was written in another encoding than Windows-1252. */
const MAX_ACCENTED_SHARE = 0.3

/**
 * How many characters of a text that `decodeText` gave are not what was written: bytes that fit its encoding nowhere, or all that are
 * beyond ASCII where they make no text in Latin script.
 */
export function countUndecoded(bytes: Uint8Array, text: string): number {
  const lost = countMatches(text, REPLACEMENT)
  if (lost > 0) return Math.max(0, lost - countMatches(Buffer.from(bytes).toString('latin1'), /\xef\xbf\xbd/g))
  const beyond = countMatches(text, BEYOND_ASCII)
  if (beyond === 0 || beyond <= text.length * MAX_ACCENTED_SHARE || startsWithUtf16Mark(bytes)) return 0
  return new TextDecoder('utf-8').decode(bytes).includes('\ufffd') ? beyond : 0
}

function startsWithUtf16Mark([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
}

function countMatches(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}
