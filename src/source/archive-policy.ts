/** Copies and remains of transcripts that hosts leave beside the live ones. */
export const ARCHIVE_KINDS = ['reset', 'deleted', 'backup', 'checkpoint'] as const
export type ArchiveKind = (typeof ARCHIVE_KINDS)[number]

/** Archives that are read unless the caller says otherwise: what was said before a reset stands nowhere else. */
export const DEFAULT_ARCHIVES: readonly ArchiveKind[] = ['reset']

/** How a kind is told by its name, and what it is: the reason why it is left out. First match wins. */
const RULES: ReadonlyArray<{ kind: ArchiveKind; name: RegExp; reason: string }> = [
  { kind: 'reset', name: /\.jsonl\.reset\./i, reason: 'archive of a session that was reset' },
  { kind: 'deleted', name: /\.jsonl\.deleted\./i, reason: 'deleted by its user' },
  {
    kind: 'checkpoint',
    name: /\.checkpoint\.[^/]*\.jsonl|\.jsonl\.checkpoint/i,
    reason: 'checkpoint: a copy of a live session',
  },
  { kind: 'backup', name: /\.jsonl\.(?:bak|old)|\.jsonl~$/i, reason: 'backup: a copy of another transcript' },
]

/** What a file's name says: no archive, an archive to read, or why it is left out, with the setting that changes that. */
export function judgeArchive(name: string, read: readonly ArchiveKind[]): 'none' | 'read' | { reason: string } {
  const rule = RULES.find((one) => one.name.test(name))
  if (!rule) return 'none'
  return read.includes(rule.kind) ? 'read' : { reason: `${rule.reason} ("archives: [${rule.kind}]" reads it)` }
}
