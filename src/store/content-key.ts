import { createHash } from 'node:crypto'
import type { MemoryContent } from '../model/memory.ts'

/** Whether two contents of one memory are the same in every field. */
export function equalContent(a: MemoryContent, b: MemoryContent): boolean {
  return a === b || contentKey(a) === contentKey(b)
}

function contentKey(content: MemoryContent): string {
  const { id, scope, category, tier, type, trust, importance, text, headerPath, embedText, role, speaker, tool } =
    content
  const { tenant, agent, project, visibility } = scope
  const scopeKey = [tenant, agent, project, visibility]
  return JSON.stringify([
    ...[id, scopeKey, category, tier, type, trust, importance, text, headerPath, embedText],
    ...[role ?? null, speaker ?? null, tool ?? null],
  ])
}

/** 48 bits of sha256: finds equal texts by an index of small numbers; the texts are compared after. */
export function hashText(text: string): number {
  return createHash('sha256').update(text).digest().readUIntBE(0, 6)
}
