import { readAt } from '../json/edit-json.ts'

/** The two plugins: one stands beside the host's memory, the other in its place. */
export const PLUGINS = {
  companion: { id: 'madeleine', folder: 'openclaw', tools: ['madeleine_search', 'madeleine_get'] },
  owner: { id: 'madeleine-memory', folder: 'openclaw-memory', tools: ['memory_search', 'memory_get'] },
} as const
export type PluginMode = keyof typeof PLUGINS

/** The host's own memory, which must not answer for the same tools. */
export const HOST_MEMORY = 'memory-core'

/** Hosts before 2026.5 refuse a configuration that speaks of consent; each host writes its version into the file. */
export function asksForConsent(text: string): boolean {
  const version = String(readAt(text, ['meta', 'lastTouchedVersion']) ?? '')
  const [, year = '9999', month = '99'] = /^(\d{4})\.(\d{1,2})\./.exec(version) ?? []
  return Number(year) * 100 + Number(month) >= 202605
}
