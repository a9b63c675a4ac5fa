import type { Memory } from '../model/memory.ts'
import { NESTED_FENCED_BLOCK } from '../text/fences.ts'
import type { ComparedMemory } from './compared-memory.ts'

/** The line in which a turn tells what it ran. */
const TOOL_CALL = /^\[tool\] .*$/gm

/**
 * A memory as relationships are read off it: without blocks of code and calls of tools, which state nothing and are much alike wherever
 * they stand. Every character keeps its place.
 */
export function toCompared(memory: Memory): ComparedMemory {
  return { ...memory, text: hideCode(memory.text) }
}

export function hideCode(text: string): string {
  const blank = (found: string): string => found.replace(/[^\n]/g, ' ')
  return text.replace(NESTED_FENCED_BLOCK, blank).replace(TOOL_CALL, blank)
}

/** Whether it may have relationships that nobody stated: what a tool gave back is a reading of its moment, and no one's knowledge. */
export function isRelatable({ role }: Pick<Memory, 'role'>): boolean {
  return role !== 'tool'
}
