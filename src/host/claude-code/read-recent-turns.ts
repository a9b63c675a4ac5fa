import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import type { RecentTurn } from '../../model/recall.ts'
import { RECALL_CONTEXT } from '../../options.ts'
import { HOOK_TAIL_BYTES } from '../host-options.ts'

/**
 * The last turns of a running session from the end of its transcript, oldest first, as many as a recall looks at. Empty where the
 * transcript is not there yet or cannot be read: a recall does without.
 */
export function readRecentTurns(transcriptPath: string): RecentTurn[] {
  const turns: RecentTurn[] = []
  for (const line of readTail(transcriptPath).reverse()) {
    if (turns.length >= RECALL_CONTEXT.turns) break
    const turn = toTurn(line)
    if (turn) turns.unshift(turn)
  }
  return turns
}

/** The whole lines at the end of a file. */
function readTail(path: string): string[] {
  let file: number | undefined
  try {
    file = openSync(path, 'r')
    const { size } = fstatSync(file)
    const from = Math.max(0, size - HOOK_TAIL_BYTES)
    const bytes = Buffer.alloc(size - from)
    const length = readSync(file, bytes, 0, bytes.length, from)
    const lines = bytes.toString('utf8', 0, length).split('\n')
    return from > 0 ? lines.slice(1) : lines
  } catch {
    // No transcript yet, or none that may be read.
    return []
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/** What a person or the model said in a record; undefined for everything else. */
function toTurn(line: string): RecentTurn | undefined {
  // Most of a transcript is output of tools: it is not parsed to be thrown away.
  if (!/"type":\s*"(?:user|assistant)"/.test(line)) return undefined
  let record: Record<string, unknown>
  try {
    record = { ...JSON.parse(line) }
  } catch {
    // The host is writing this line.
    return undefined
  }
  const { type, isMeta, isCompactSummary, isSidechain, message } = record
  if (type !== 'user' && type !== 'assistant') return undefined
  if (isMeta === true || isCompactSummary === true || isSidechain === true) return undefined
  const text = saidIn((message as { content?: unknown } | undefined)?.content)
  return text === '' ? undefined : { role: type, text }
}

function saidIn(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .map((block: unknown) => (block ?? {}) as { type?: unknown; text?: unknown })
    .map(({ type, text }) => (type === 'text' && typeof text === 'string' ? text : ''))
    .filter(Boolean)
    .join('\n')
}
