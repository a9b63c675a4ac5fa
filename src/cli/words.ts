/** `1 memory`, `2 memories`. */
export function formatCount(count: number, noun: string): string {
  const plural = /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`
  return `${count} ${count === 1 ? noun : plural}`
}

/** A span of time as a person says it. */
export function formatSeconds(elapsedMs: number): string {
  if (elapsedMs < 1000) return `${Math.round(elapsedMs)} ms`
  if (elapsedMs < 60_000) return `${(elapsedMs / 1000).toFixed(1)} s`
  return `${Math.floor(elapsedMs / 60_000)} min ${Math.round((elapsedMs % 60_000) / 1000)} s`
}
