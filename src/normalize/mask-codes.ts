import { cutGraphemes } from '../model/cut-graphemes.ts'

/** A run of letters and digits: scripts that write without spaces end it. */
const RUN = String.raw`[^\s\u3000-\u9fff\uac00-\ud7af]`
/** A run of letters and digits, or one as long as keys are. */
const CODE = new RegExp(String.raw`(?=${RUN}*\d)(?=${RUN}*(?=${RUN})\p{L})${RUN}+|${RUN}{25,}`, 'gu')

/**
 * What somebody asked as it is kept: words, and `…` for what may be a password or a key, `maxChars` at most. Nothing tells a password that
 * stands alone from an identifier, and a log must not be where it stays.
 */
export function maskCodes(text: string, maxChars: number): string {
  // No more than is kept, with room for what gives way: the pattern looks ahead from every place.
  return cutGraphemes(cutGraphemes(text, 2 * maxChars).replace(CODE, '…'), maxChars)
}
