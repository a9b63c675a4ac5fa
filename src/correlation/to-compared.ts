import type { Memory } from '../model/memory.ts'
import type { ComparedMemory } from './compared-memory.ts'

/** The line in which a turn tells what it ran. */
const TOOL_CALL = /^\[tool\] .*$/gm

/**
 * A memory as relationships are read off it: without its calls of tools, which state nothing and are much alike. Every character keeps
 * its place.
 */
export function toCompared(memory: Memory): ComparedMemory {
  return { ...memory, text: hideToolCalls(memory.text) }
}

export function hideToolCalls(text: string): string {
  return text.includes('[tool] ') ? text.replace(TOOL_CALL, (line) => ' '.repeat(line.length)) : text
}

/** Whether it may have relationships that nobody stated: what a tool gave back is a reading of its moment, and no one's knowledge. */
export function isRelatable({ role }: Pick<Memory, 'role'>): boolean {
  return role !== 'tool'
}
