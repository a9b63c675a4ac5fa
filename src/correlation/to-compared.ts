import type { Memory } from '../model/memory.ts'
import type { ComparedMemory } from './compared-memory.ts'

/** The line in which a turn tells what it ran. */
const TOOL_CALL = /^\[tool\] .*$/gm
/** A fenced block, in quotes and lists too, to the end of the text where nothing closes it. */
const CODE =
  /^(?:[ \t]*(?:>|[-*+]|\d{1,9}[.)])){0,8}[ \t]*(`{3,}|~{3,}(?!~))[^\n`]*\n[\s\S]*?(?:^(?:[ \t]*>){0,8}[ \t]*\1[`~]*[ \t]*$|(?![\s\S]))/gm

/**
 * A memory as relationships are read off it: without blocks of code and calls of tools, which state nothing and are much alike wherever
 * they stand. Every character keeps its place.
 */
export function toCompared(memory: Memory): ComparedMemory {
  return { ...memory, text: hideCode(memory.text) }
}

export function hideCode(text: string): string {
  const blank = (found: string): string => found.replace(/[^\n]/g, ' ')
  return text.replace(CODE, blank).replace(TOOL_CALL, blank)
}

/** Whether it may have relationships that nobody stated: what a tool gave back is a reading of its moment, and no one's knowledge. */
export function isRelatable({ role }: Pick<Memory, 'role'>): boolean {
  return role !== 'tool'
}
