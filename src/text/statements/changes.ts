/** Words by which a text says that a value is another one than before, in lower case, as they begin. */
const CHANGE =
  /(?<![\p{L}\p{N}])(?:correct(?:ion|ed)|updat(?:e|ed|ing)|chang(?:e|ed|ing)|now|instead|anymore|any more|no longer|replac(?:e|ed|ing)|renamed|revised|mov(?:ed|ing)|switch(?:ed|ing)|new|increas(?:e|ed|ing)|decreas(?:e|ed|ing)|rais(?:e|ed|ing)|lower(?:ed|ing)|reduc(?:e|ed|ing)|extend(?:ed|ing)|extension|postponed|rescheduled|delayed|adjust(?:ed|ing|ment)|expand(?:ed|ing)|upgrad(?:e|ed|ing)|bump(?:ed)?|migrat(?:ed|ing)|improv(?:ed|ing)|recently|since then|up to|used to|previously|formerly|jetzt|nun|geändert|stattdessen|neu(?:er|e|es)?|désormais|maintenant|remplacé|ahora|cambiado|nuev[oa]|adesso|agora)(?![\p{L}\p{N}])|现在|改为|更新|变更|変更|更新|現在|이제|변경/giu

/** What a text says to have been replaced by what: places in the text. */
export interface Replacement {
  before: { start: number; end: number }
  after?: { start: number; end: number }
}

const SOME = String.raw`[^\s,.;:!?()]{1,60}(?: [^\s,.;:!?()]{1,40}){0,3}?`
const END = String.raw`(?=\s*(?:[,.;:!?()\n]|$)| (?:and|but|because|for|in|on|at|since|as|so|to|by|with|after|before|when|due|from)\b)`
const FORMS = [
  new RegExp(String.raw`\bfrom (?<before>${SOME}) (?:over )?to (?<after>${SOME})${END}`, 'gi'),
  new RegExp(
    String.raw`\b(?:replac(?:e|ed|es|ing)|swap(?:ped|ping)?|exchang(?:ed|ing)) (?<before>${SOME}) (?:with|by|for) (?<after>${SOME})${END}`,
    'gi',
  ),
  new RegExp(String.raw`\brenam(?:e|ed|ing) (?<before>${SOME}) (?:to|as|into) (?<after>${SOME})${END}`, 'gi'),
  new RegExp(`(?<after>${SOME}) (?:instead of|rather than|in place of) (?<before>${SOME})${END}`, 'gi'),
  new RegExp(`(?<before>${SOME}) (?:→|->|=>) (?<after>${SOME})${END}`, 'gi'),
  new RegExp(
    `(?<before>${SOME}) (?:is |was |has been |were )?(?:replaced|superseded) by (?<after>${SOME})${END}`,
    'gi',
  ),
  new RegExp(
    String.raw`\b(?:no longer|not anymore|stopped) (?:uses?|using|on|in|at|with|lives? in|works? (?:at|for)) (?<before>${SOME})${END}`,
    'gi',
  ),
]
const MAY_REPLACE =
  /\bfrom\b|replac|renam|superseded|swap|exchang|instead of|rather than|in place of|→|->|=>|no longer|not anymore|stopped/i

const WORD_OF_CHANGE = new RegExp(`^(?:${CHANGE.source})$`, 'iu')

/** Whether a word, in lower case, says that something changed. */
export function isChangeWord(word: string): boolean {
  return WORD_OF_CHANGE.test(word)
}

/** Places in a text at which it speaks of a change. */
export function findChangeWords(text: string): { start: number; end: number }[] {
  return Array.from(text.matchAll(CHANGE), ({ index, 0: word }) => ({ start: index, end: index + word.length }))
}

/** What a text says was replaced: "moved from A to B", "B instead of A", "renamed A to B", "no longer uses A". */
export function findReplacements(text: string): Replacement[] {
  if (!MAY_REPLACE.test(text)) return []
  return FORMS.flatMap((form) =>
    [...text.matchAll(form)].map((match): Replacement => {
      const { before = '', after } = match.groups ?? {}
      const place = (part: string, from: number): { start: number; end: number } => {
        const start = match.index + match[0].indexOf(part, from)
        return { start, end: start + part.length }
      }
      const first = place(before, after !== undefined && match[0].startsWith(after) ? after.length : 0)
      return after === undefined
        ? { before: first }
        : { before: first, after: place(after, match[0].startsWith(after) ? 0 : first.end - match.index) }
    }),
  )
}
