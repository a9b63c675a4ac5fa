import { MadeleineError } from '../errors.ts'
import type { LanguageModelKind } from './language-model-spec.ts'

const BASE_URLS: Record<LanguageModelKind, string> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  ollama: 'http://127.0.0.1:11434/v1',
}
const VISIBLE = /^[\x21-\x7e]+$/

/** Services that answer nobody without a key. */
export const NEEDS_KEY: Record<LanguageModelKind, boolean> = { openai: true, anthropic: true, ollama: false }

/** Where the service is: as configured, with `/v1` where only a host is given. Throws INVALID_OPTION; the value is not repeated. */
export function serviceAddress(kind: LanguageModelKind, baseUrl: string | undefined): string {
  if (baseUrl === undefined) return BASE_URLS[kind]
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null
  const isUsable = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
  if (!isUsable) {
    throw new MadeleineError(
      'INVALID_OPTION',
      'Cannot use the base URL of the language model: it is no http(s) address',
      {
        remedy: `Write it like ${BASE_URLS[kind]}, without a name or password in it`,
      },
    )
  }
  const path = url.pathname.replace(/\/+$/, '')
  return `${url.origin}${path === '' ? '/v1' : path}`
}

/** The key, if it can stand in a header. Throws INVALID_OPTION; the value is not repeated. */
export function checkedKey(apiKey: string | undefined): string | undefined {
  const key = apiKey?.trim()
  if (key === undefined || key === '') return undefined
  if (VISIBLE.test(key)) return key
  throw new MadeleineError(
    'INVALID_OPTION',
    'Cannot use the API key of the language model: it holds characters that no key has',
    {
      remedy: 'Copy the key again, without blanks and line ends',
    },
  )
}
