import type { MemoryContent } from '../model/memory.ts'

const SUSPECT = /[\0\ud800-\udfff]/
const LONE_SURROGATE = /[\ud800-\udfff]/gu
const REPLACEMENT = '\ufffd'

/** Text as every store can keep it: NUL and halves of surrogate pairs, which databases cut or change, become U+FFFD. */
export function toStorableText(text: string): string {
  if (!SUSPECT.test(text)) return text
  return text.replaceAll('\0', REPLACEMENT).replace(LONE_SURROGATE, REPLACEMENT)
}

/** A copy of the content with all its words as every store can keep them. */
export function toStorableContent(content: MemoryContent): MemoryContent {
  const { speaker, tool } = content
  return {
    ...content,
    scope: { ...content.scope },
    id: toStorableText(content.id),
    text: toStorableText(content.text),
    embedText: toStorableText(content.embedText),
    headerPath: content.headerPath.map(toStorableText),
    ...(speaker !== undefined && { speaker: toStorableText(speaker) }),
    ...(tool !== undefined && { tool: toStorableText(tool) }),
  }
}
