const SENTENCE = /[^.!?。！？؟।\n]+[.!?。！？؟।]*/gu
const ASKS = /[?？؟]\s*$/u
/** What a transcript says about a picture or a sound, at the end of a turn. */
const CAPTION = /\[[^\]]*\]\s*$/u

/** Share of a text's characters that stand in sentences with a question mark, [0,1]; in any script that writes one. */
export function questionShare(text: string): number {
  let [asking, all] = [0, 0]
  for (const sentence of text.replace(CAPTION, '').match(SENTENCE) ?? []) {
    const size = sentence.trim().length
    all += size
    if (ASKS.test(sentence)) asking += size
  }
  return all === 0 ? 0 : asking / all
}
