/**
 * Looking for what is near to stored memories. `holders`: entries of posting lists looked at for one memory, rarest keys first, 100 to
 * 100,000: what more memories hold says little. `sweepIds` and `sweepRows`: so many memories asked about at once, among so many vectors,
 * are looked for among those that are alike instead of among all, 1 or more. `parts`: of about √n parts of n vectors, so many are looked
 * through, 1 to 1,000 (`npx tsx bench/discovery.ts`). `keptIds`, some 100 bytes each, and `keptHolders`, 4 bytes each: what is kept of ids and
 * lists for the next search at most.
 */
export const NEIGHBOUR_SCAN = {
  holders: 1000,
  sweepIds: 64,
  sweepRows: 8192,
  parts: 40,
  keptIds: 200_000,
  keptHolders: 2_000_000,
} as const
