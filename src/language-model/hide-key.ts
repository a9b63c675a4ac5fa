import { cleanCharacters } from '../text/clean-characters.ts'

/** Shorter ones keep nothing secret: servers that want none are given "none" or "ollama". */
const MIN_KEY_CHARS = 8

/** What a service says, without hidden characters and without the key that it was asked with, also as an address or Base64 writes it. */
export function hideKey(text: string, apiKey: string | undefined): string {
  const clean = cleanCharacters(text)
  if (apiKey === undefined || apiKey.length < MIN_KEY_CHARS) return clean
  const bytes = Buffer.from(apiKey)
  const written = [apiKey, encodeURIComponent(apiKey), JSON.stringify(apiKey).slice(1, -1)]
  const encoded = [bytes.toString('base64'), bytes.toString('base64url')]
  return [...written, ...encoded].reduce((safe, form) => safe.replaceAll(form, '***'), clean)
}
