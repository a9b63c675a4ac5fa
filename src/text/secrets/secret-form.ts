/** A part of a text that is a secret, `start` included, `end` not; UTF-16 units. */
export interface SecretSpan {
  start: number
  end: number
  kind: string
}

/**
 * A form by which secrets are known. It is tried where one of its `hints` stands in a text, and nowhere else.
 *
 * Contract: hints are lower case and stand for themselves in any case; `find` looks at a bounded part of the text around the hint,
 * or reads on over one class of characters that cannot start the form anew, so that all hints of a text together cost linear
 * time; it never throws.
 */
export interface SecretForm {
  /** Kinds that it finds; what the mark says. */
  kinds: readonly string[]
  hints: readonly string[]
  /** The secrets at a hint that starts at `at`; none when there is none. */
  find(text: string, at: number): readonly SecretSpan[]
}

const NONE: readonly SecretSpan[] = []

/**
 * A form that is an expression, tried at the hint. The secret is the whole match, without the groups `before` and `after`, and with
 * the group `lead`, which a lookbehind takes before the hint. The expression has to be sticky (`y`).
 */
export function patternForm(kind: string, hints: string | readonly string[], pattern: RegExp): SecretForm {
  return {
    kinds: [kind],
    hints: typeof hints === 'string' ? [hints] : hints,
    find(text, at) {
      pattern.lastIndex = at
      const match = pattern.exec(text)
      if (match === null) return NONE
      const { before = '', after = '', lead = '' } = match.groups ?? {}
      const start = at + before.length - lead.length
      const end = at + match[0].length - after.length
      return start < end ? [{ start, end, kind }] : NONE
    },
  }
}
