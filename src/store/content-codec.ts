import type { MemoryContent, Place } from '../model/memory.ts'

/** The part of a content that is kept as JSON. */
export type ContentDetail = Omit<MemoryContent, 'id' | 'scope' | 'importance' | 'text' | 'embedText'>

/** As unpackDetail reads it. */
export function packDetail({ category, tier, type, trust, headerPath, role, speaker, tool }: MemoryContent): string {
  return JSON.stringify({ category, tier, type, trust, headerPath, role, speaker, tool })
}

/** `detail` is what packDetail gave. */
export function unpackDetail(detail: unknown): ContentDetail {
  return JSON.parse(String(detail)) as ContentDetail
}

/** The embed text is mostly the text, or the text with something around it: then only that is kept. */
export function packEmbedText({ embedText, text }: Pick<MemoryContent, 'embedText' | 'text'>): string | null {
  if (embedText === text) return null
  const at = embedText.indexOf(text)
  return JSON.stringify(at === -1 ? embedText : [embedText.slice(0, at), embedText.slice(at + text.length)])
}

/** `embed` is what packEmbedText gave. */
export function unpackEmbedText(embed: unknown, text: string): string {
  if (typeof embed !== 'string') return text
  const given = JSON.parse(embed) as string | [before: string, after: string]
  return typeof given === 'string' ? given : given[0] + text + given[1]
}

/** The part of a place that is kept as JSON. */
export type PlaceDetail = Omit<Place, 'root' | 'path' | 'position'>

/** As JSON; the rest of a place is kept in columns. */
export function packPlace({ startLine, endLine, occurredAt, dateOrigin, sessionId, turnId }: Place): string {
  return JSON.stringify({ startLine, endLine, occurredAt, dateOrigin, sessionId, turnId })
}
