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
