/**
 * Tells what a document holds again from what it holds for the first time: the answer is true as often as the id is among `ids`,
 * what the document held until now. A document that is read anew holds its old copies still, and they are no new duplicates.
 */
export function heldBefore(ids: Iterable<string>): (id: string) => boolean {
  const counts = new Map<string, number>()
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1)
  return (id) => {
    const count = counts.get(id) ?? 0
    if (count > 0) counts.set(id, count - 1)
    return count > 0
  }
}
