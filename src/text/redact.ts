import { createLiteralFinder } from './secrets/find-literals.ts'
import { FRAMED_FORMS } from './secrets/framed-forms.ts'
import { KEY_BLOCKS } from './secrets/key-blocks.ts'
import { MARKED_FORMS } from './secrets/marked-forms.ts'
import { NAMED_SECRETS } from './secrets/named-secrets.ts'
import { resolveEscapes } from './secrets/resolve-escapes.ts'
import type { SecretForm, SecretSpan } from './secrets/secret-form.ts'
import { SPOKEN_SECRETS } from './secrets/spoken-secrets.ts'

/** A text without its secrets, and how many of each kind were taken out. */
export interface Redaction {
  text: string
  found: Record<string, number>
}

/** All forms; where several find the same, the first names the kind. */
export const SECRET_FORMS: readonly SecretForm[] = [
  ...KEY_BLOCKS,
  ...MARKED_FORMS,
  ...FRAMED_FORMS,
  NAMED_SECRETS,
  ...SPOKEN_SECRETS,
]

/** Numbers of the forms to try at a hint. */
const FORMS_AT = new Map<string, number[]>()
for (const [number, { hints }] of SECRET_FORMS.entries()) {
  for (const hint of new Set(hints)) {
    const forms = FORMS_AT.get(hint)
    if (forms) forms.push(number)
    else FORMS_AT.set(hint, [number])
  }
}
const FORMS_OF_HINT = [...FORMS_AT.values()]
const findHints = createLiteralFinder([...FORMS_AT.keys()])
/** What is left beside a mark may be a secret of its own; more often than this nothing changes any more. */
const MAX_ROUNDS = 5

/**
 * Replaces secrets by `[redacted:<kind>]` and keeps the words around them. Knows the tokens of the common services, keys,
 * headers, URLs with credentials, commands, and values of names that say secret, as they are written and behind the escapes of
 * Markdown, JSON, URLs and markup. Line breaks inside a secret stay, so that the number of lines does not change. Idempotent; linear time.
 */
export function redactSecrets(text: string): Redaction {
  const found: Record<string, number> = {}
  let result = text
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const spans = mergeSpans([...findSpans(result), ...findEscaped(result)])
    if (spans.length === 0) break
    for (const { kind } of spans) found[kind] = (found[kind] ?? 0) + 1
    result = replaceSpans(result, spans)
  }
  return { text: result, found }
}

/** A span and the number of the form that found it. */
interface FoundSpan extends SecretSpan {
  form: number
}

function findSpans(text: string): FoundSpan[] {
  const spans: FoundSpan[] = []
  const ends = new Map<number, number>()
  findHints(text, (hint, at) => {
    for (const form of FORMS_OF_HINT[hint] ?? []) {
      // Inside what it has found already a form finds nothing new, and would read the rest of it again.
      if (at < (ends.get(form) ?? 0)) continue
      for (const span of SECRET_FORMS[form]?.find(text, at) ?? []) {
        spans.push({ ...span, form })
        ends.set(form, Math.max(ends.get(form) ?? 0, span.end))
      }
    }
  })
  return spans
}

/** What stands behind escapes, by its places in the text as written. */
function findEscaped(written: string): FoundSpan[] {
  const resolved = resolveEscapes(written)
  if (resolved === undefined) return []
  const { text, originOf } = resolved
  return findSpans(text).map((span) => ({ ...span, start: originOf(span.start), end: originOf(span.end) }))
}

/** Spans in their order; those that overlap become one, of the first form's kind. */
function mergeSpans(spans: readonly FoundSpan[]): FoundSpan[] {
  const merged: FoundSpan[] = []
  for (const span of [...spans].sort((a, b) => a.start - b.start)) {
    const last = merged.at(-1)
    if (!last || span.start >= last.end) {
      merged.push({ ...span })
      continue
    }
    last.end = Math.max(last.end, span.end)
    if (span.form < last.form) {
      last.form = span.form
      last.kind = span.kind
    }
  }
  return merged
}

function replaceSpans(text: string, spans: readonly SecretSpan[]): string {
  let result = ''
  let from = 0
  for (const { start, end, kind } of spans) {
    const lineBreaks = text.slice(start, end).split('\n').length - 1
    result += `${text.slice(from, start)}[redacted:${kind}]${'\n'.repeat(lineBreaks)}`
    from = end
  }
  return result + text.slice(from)
}
