import { ellipsize } from '../model/cut-graphemes.ts'
import { redactSecrets } from '../text/redact.ts'
import { AnswerTooLarge } from './bounded-fetch.ts'
import { hideKey } from './hide-key.ts'
import type { LanguageModelSpec } from './language-model-spec.ts'

/** Why there is no answer, and what to do. */
export interface ModelFailure {
  reason: string
  remedy: string
}

const MAX_SAID_CHARS = 200
const LATER = 'Try again later; the rest of the heartbeat does not need the model'

/** What a failed request means. `apiKey` serves only to keep it out of the reason. */
export function describeModelFailure(
  error: unknown,
  { kind, model }: LanguageModelSpec,
  apiKey: string | undefined,
): ModelFailure {
  const chain = causesOf(error)
  const tooLarge = chain.find((one) => one instanceof AnswerTooLarge)
  if (tooLarge) return { reason: messageOf(tooLarge), remedy: 'Check the base URL of the language model' }
  const status = numberIn(chain, 'statusCode')
  if (status !== undefined && (status < 200 || status > 299))
    return describeStatus(status, { chain, kind, model, apiKey })
  const code = textIn(chain, 'code')
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND') {
    const remedy = kind === 'ollama' ? 'Start Ollama or check its base URL' : 'Check the base URL and the network'
    return { reason: `nothing answers there (${code})`, remedy }
  }
  if (status !== undefined) {
    return {
      reason: 'its answer cannot be read',
      remedy: 'Check the base URL and that the service speaks this interface',
    }
  }
  return { reason: `the request failed${code ? ` (${code})` : ''}`, remedy: LATER }
}

interface StatusDetails extends LanguageModelSpec {
  chain: readonly unknown[]
  apiKey: string | undefined
}

function describeStatus(status: number, { chain, kind, model, apiKey }: StatusDetails): ModelFailure {
  const said = saidBy(textIn(chain, 'responseBody') ?? '', apiKey)
  const reason = `it answered ${status}${said ? `: ${said}` : ''}`
  if (status === 401 || status === 403) {
    return apiKey
      ? {
          reason: `it refused the API key (${status})`,
          remedy: 'Check the API key of the language model and what it may do',
        }
      : { reason: `it wants an API key (${status})`, remedy: 'Configure the API key of the language model' }
  }
  if (status === 404) {
    return {
      reason,
      remedy: kind === 'ollama' ? `Run "ollama pull ${model}"` : 'Check the model name and the base URL',
    }
  }
  if (status >= 300 && status < 400) return { reason, remedy: 'Configure the address that it redirects to' }
  if (status === 429 || status >= 500 || status === 408) return { reason, remedy: LATER }
  return { reason, remedy: 'Check the model name' }
}

/** What the service says, as one short line without secrets. */
function saidBy(body: string, apiKey: string | undefined): string {
  const text = messageIn(body) ?? body
  const line = hideKey(text, apiKey)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
  return ellipsize(redactSecrets(line).text, MAX_SAID_CHARS)
}

function messageIn(body: string): string | undefined {
  try {
    const parsed: unknown = JSON.parse(body)
    const error = fieldOf(parsed, 'error') ?? parsed
    const said = typeof error === 'string' ? error : fieldOf(error, 'message')
    return typeof said === 'string' ? said : undefined
  } catch {
    // No JSON: the body is what it says.
    return undefined
  }
}

/** The error, and what caused it, outermost first. */
function causesOf(error: unknown): unknown[] {
  const chain: unknown[] = []
  for (let current = error; current !== undefined && chain.length < 10; current = fieldOf(current, 'cause')) {
    chain.push(current)
  }
  return chain
}

function numberIn(chain: readonly unknown[], field: string): number | undefined {
  const found = chain.map((one) => fieldOf(one, field)).find((value) => typeof value === 'number')
  return typeof found === 'number' ? found : undefined
}

function textIn(chain: readonly unknown[], field: string): string | undefined {
  const found = chain.map((one) => fieldOf(one, field)).find((value) => typeof value === 'string')
  return typeof found === 'string' ? found : undefined
}

function fieldOf(value: unknown, field: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[field] : undefined
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
