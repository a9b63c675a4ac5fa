import { MadeleineError } from '../errors.ts'

/** Which interface a service speaks. `openai` is every endpoint with OpenAI's chat completions. */
export type LanguageModelKind = 'openai' | 'anthropic' | 'ollama'
export const LANGUAGE_MODEL_KINDS: readonly LanguageModelKind[] = ['openai', 'anthropic', 'ollama']

/** A language model as the user names it: `kind:model`. */
export interface LanguageModelSpec {
  kind: LanguageModelKind
  model: string
}

const EXAMPLES: Record<LanguageModelKind, string> = {
  openai: 'openai:gpt-4.1-mini',
  anthropic: 'anthropic:claude-haiku-4-5',
  ollama: 'ollama:qwen3:8b',
}

/** Reads `openai:MODEL`, `anthropic:MODEL` or `ollama:MODEL`; the model may hold colons. Throws INVALID_OPTION for anything else. */
export function parseLanguageModelSpec(text: string): LanguageModelSpec {
  const colon = text.indexOf(':')
  const prefix = colon < 0 ? text : text.slice(0, colon)
  const kind = LANGUAGE_MODEL_KINDS.find((known) => known === prefix)
  if (!kind) {
    throw new MadeleineError('INVALID_OPTION', `Cannot ask the language model "${text}": no such service is known`, {
      remedy: 'Use openai:MODEL, anthropic:MODEL or ollama:MODEL',
    })
  }
  const model = colon < 0 ? '' : text.slice(colon + 1).trim()
  if (model === '') {
    throw new MadeleineError('INVALID_OPTION', `Cannot ask the language model "${text}": it names no model`, {
      remedy: `Write ${kind}:MODEL, for example ${EXAMPLES[kind]}`,
    })
  }
  return { kind, model }
}
