import type { Memory } from '../model/memory.ts'

/**
 * What is read off a memory once, as long as somebody holds it: the two searches of a recall, and those of a conversation, find much the
 * same memories. What `read` gives must follow from the memory alone.
 */
export function keepReadings<T extends object | string>(
  read: (memory: Readonly<Memory>) => T,
): (memory: Readonly<Memory>) => T {
  const known = new WeakMap<Readonly<Memory>, T>()
  return (memory) => {
    const kept = known.get(memory)
    if (kept !== undefined) return kept
    const reading = read(memory)
    known.set(memory, reading)
    return reading
  }
}
