import { ellipsize } from '../../model/cut-graphemes.ts'
import { REMOTE_MAX_ANSWER_BYTES } from '../../options.ts'
import { redactSecrets } from '../../text/redact.ts'
import type { RemoteSpec } from './remote-spec.ts'

/**
 * A request that gave no vectors.
 * - `refused`: the service works and will not take these texts (too long, not representable); fewer or shorter ones may pass
 * - `retry`: it may work in a while
 * - `fatal`: it will not work until somebody changes something
 */
export interface Failure {
  kind: 'refused' | 'retry' | 'fatal'
  reason: string
  remedy: string
  /** How long the service asks to wait, ms. */
  waitMs?: number
  cause?: unknown
}

/** An HTTP answer, read to its end. */
export interface Answer {
  status: number
  headers: Headers
  body: string
}

const WAIT_REMEDY = 'Try again later; what is embedded so far is kept, and keyword search works meanwhile'
const MAX_MESSAGE_CHARS = 200

/** Spent credit is told from a rate limit by its code: both come as 429, and words like "billing" stand in both. */
const QUOTA = /insufficient[_ ](quota|balance|credits?|funds)|quota_exceeded|billing_hard_limit/i
/** What local servers answer with a 500 when the text, not the server, is at fault. */
const INPUT_AT_FAULT =
  /unsupported value: [+-]?(nan|inf)|too (large|long)|context (length|size|window)|batch size|\bEOF\b/i
const NOBODY_THERE = new Set(['ECONNREFUSED', 'ENOTFOUND'])
const BROKEN_TRUST = /CERT|TLS|SELF_SIGNED/

/** Says what an answer without success means. `apiKey` is only used to keep it out of the reason. */
export function classifyAnswer(answer: Answer, spec: RemoteSpec, apiKey: string | undefined): Failure {
  const { status, headers, body } = answer
  const said = serverMessage(body, apiKey)
  const reason = `it answered ${status}${said ? `: ${said}` : ''}`
  if (status === 401 || status === 403) {
    return apiKey
      ? fatal(`it refused the API key (${status})`, 'Check the API key of the embedding service and what it may do')
      : fatal(`it wants an API key (${status})`, 'Configure the API key of the embedding service')
  }
  if (status === 402 || (status === 429 && QUOTA.test(body))) {
    return fatal(
      `the quota is exhausted (${reason})`,
      'Add credit at the embedding service or choose another embedding; keyword search works meanwhile',
    )
  }
  if (status === 404) return fatal(reason, missingRemedy(spec))
  const isInputAtFault = status === 400 || status === 413 || status === 422
  if (isInputAtFault || (status >= 500 && INPUT_AT_FAULT.test(body))) {
    return { kind: 'refused', reason, remedy: 'Check the model name and that it is an embedding model' }
  }
  if (status === 408 || status === 425 || status === 429 || status >= 500) {
    const waitMs = retryAfterMs(headers)
    return { kind: 'retry', reason, remedy: WAIT_REMEDY, ...(waitMs === undefined ? {} : { waitMs }) }
  }
  return fatal(reason, 'Check the base URL of the embedding service')
}

/** Says what a request means that got no answer. */
export function classifyThrown(error: unknown, spec: RemoteSpec): Failure {
  const { code, text } = rootCause(error)
  if (NOBODY_THERE.has(code)) {
    const remedy = spec.kind === 'ollama' ? 'Start Ollama or check its base URL' : 'Check the base URL and the network'
    return { ...fatal(`nothing answers there (${code})`, remedy), cause: error }
  }
  if (BROKEN_TRUST.test(code)) {
    return {
      ...fatal(`its certificate is not trusted (${code})`, 'Check the base URL and its certificate'),
      cause: error,
    }
  }
  return { kind: 'retry', reason: `the connection broke (${code || text})`, remedy: WAIT_REMEDY, cause: error }
}

/** A request that took longer than allowed. */
export function timedOut(timeoutMs: number): Failure {
  return { kind: 'retry', reason: `it did not answer within ${timeoutMs} ms`, remedy: WAIT_REMEDY }
}

/** An answer that does not end where every list of vectors does. */
export function tooLong(): Failure {
  return fatal(
    `its answer is longer than ${REMOTE_MAX_ANSWER_BYTES / 1024 / 1024} MB`,
    'Check the base URL and that it is an embedding service',
  )
}

/** An answer of success that is no list of vectors. */
export function notAnAnswer(body: string, apiKey: string | undefined): Failure {
  return {
    kind: 'retry',
    reason: `its answer holds no embeddings: ${serverMessage(body, apiKey) || 'it is empty'}`,
    remedy: 'Check the base URL and that the model is an embedding model',
  }
}

/** An answer of the wrong number of vectors. Fewer than texts may mean that it dropped one: it counts as refused. */
export function wrongCount(vectors: number, texts: number): Failure {
  const reason = `it answered ${vectors} vectors for ${texts} texts`
  const remedy = 'Check that the endpoint is an embedding service'
  return vectors < texts ? { kind: 'refused', reason, remedy } : fatal(reason, remedy)
}

/**
 * The pause that an answer asks for, ms. A date is taken relative to the answer's own `Date`: the clocks of the two
 * machines need not agree.
 */
export function retryAfterMs(headers: Headers): number | undefined {
  const precise = headers.get('retry-after-ms')
  if (precise !== null && Number.isFinite(Number(precise))) return Math.max(0, Number(precise))
  const value = headers.get('retry-after')?.trim()
  if (!value) return undefined
  const seconds = Number(value)
  const waitMs = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(value) - Date.parse(headers.get('date') ?? '')
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs)
}

function fatal(reason: string, remedy: string): Failure {
  return { kind: 'fatal', reason, remedy }
}

function missingRemedy({ kind, model }: RemoteSpec): string {
  return kind === 'ollama'
    ? `Run "ollama pull ${model}", or check the base URL`
    : 'Check the model name and the base URL'
}

/** The innermost code and text of a failed fetch, which wraps what happened. */
function rootCause(error: unknown): { code: string; text: string } {
  let code = ''
  let text = ''
  for (let current = error; current instanceof Error; current = current.cause) {
    text = current.message
    if ('code' in current && typeof current.code === 'string') code = current.code
  }
  return { code, text }
}

/** What a service says went wrong, in any of the usual shapes, as one short line without the key. */
function serverMessage(body: string, apiKey: string | undefined): string {
  const text = messageField(body) ?? body
  const line = text.replace(/[\p{Cc}\s]+/gu, ' ').trim()
  const safe = redactSecrets(apiKey ? line.replaceAll(apiKey, '***') : line).text
  return ellipsize(safe, MAX_MESSAGE_CHARS)
}

function messageField(body: string): string | undefined {
  let parsed: unknown
  try {
    parsed = JSON.parse(body)
  } catch {
    return undefined
  }
  if (typeof parsed !== 'object' || parsed === null) return undefined
  const record = parsed as Record<string, unknown>
  const said = record.error ?? record.detail ?? record.message
  if (typeof said === 'string') return said
  if (typeof said !== 'object' || said === null) return undefined
  const inner = (said as Record<string, unknown>).message
  return typeof inner === 'string' ? inner : JSON.stringify(said)
}
