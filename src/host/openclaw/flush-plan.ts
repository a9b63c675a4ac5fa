import type { FlushPlan, FlushPlanResolver, FlushSettings, HostConfig } from './host-types.ts'

/** The host's own numbers: how near to compaction, how long a transcript, how much it keeps free. */
const SOFT_THRESHOLD_TOKENS = 4000
const FORCE_TRANSCRIPT_BYTES = 2 * 1024 * 1024
const RESERVE_TOKENS = 20_000
const SILENT = 'NO_REPLY'

/** What a plan must say whatever words the user gave it: where to write, and that nothing else is touched. */
function rulesFor(path: string): string[] {
  return [
    `Write what should last to ${path} alone; make the folder if it is not there.`,
    `If ${path} exists, add to its end and leave what stands in it.`,
    'MEMORY.md, DREAMS.md, SOUL.md, AGENTS.md and the other files of the workspace are for reading only now.',
  ]
}

/** What the agent is asked to keep before the host compacts a session, in the host's own semantics; null where the user turned it off. */
export const planFlush: FlushPlanResolver = ({ cfg, nowMs, contextWindowTokens } = {}) => {
  const settings = cfg?.agents?.defaults?.compaction?.memoryFlush ?? {}
  if (settings.enabled === false) return null
  const now = new Date(nowMs ?? Date.now())
  const zone = zoneOf(cfg)
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' }).format(now)
  const relativePath = `memory/${day}.md`
  return {
    ...thresholds(settings, cfg, contextWindowTokens),
    relativePath,
    prompt: [
      ...wordsOf(settings.prompt, 'Pre-compaction memory flush. Keep what should outlast this session.', relativePath),
      `If there is nothing to keep, reply with ${SILENT}.`,
      `Current time: ${now.toISOString()} (${zone})`,
    ].join('\n'),
    systemPrompt: [
      ...wordsOf(
        settings.systemPrompt,
        'Pre-compaction memory flush turn: the session is about to be compacted.',
        relativePath,
      ),
      `Mostly ${SILENT} is the right reply.`,
    ].join('\n'),
  }
}

function wordsOf(written: unknown, otherwise: string, path: string): string[] {
  const words = typeof written === 'string' && written.trim() !== '' ? written.trim() : otherwise
  return [words, ...rulesFor(path)]
}

function thresholds(
  settings: FlushSettings,
  cfg: HostConfig | undefined,
  contextWindowTokens: number | undefined,
): Pick<FlushPlan, 'softThresholdTokens' | 'forceFlushTranscriptBytes' | 'reserveTokensFloor'> {
  const window = contextWindowTokens ?? 0
  const wanted = countOf(cfg?.agents?.defaults?.compaction?.reserveTokensFloor, RESERVE_TOKENS)
  // A small window is neither all reserve nor all threshold.
  const reserveTokensFloor = window > 0 ? Math.min(wanted, Math.floor(window / 2)) : wanted
  const soft = countOf(settings.softThresholdTokens, SOFT_THRESHOLD_TOKENS)
  return {
    reserveTokensFloor,
    softThresholdTokens: window > 0 ? Math.min(soft, Math.floor((window - reserveTokensFloor) / 2)) : soft,
    forceFlushTranscriptBytes: bytesOf(settings.forceFlushTranscriptBytes) ?? FORCE_TRANSCRIPT_BYTES,
  }
}

function countOf(written: unknown, otherwise: number): number {
  return typeof written === 'number' && Number.isFinite(written) && written >= 0 ? Math.floor(written) : otherwise
}

/** A number of bytes, or a size such as `2mb`. */
function bytesOf(written: unknown): number | undefined {
  if (typeof written === 'number' && written >= 0) return Math.floor(written)
  const [, number, unit = ''] = /^\s*(\d+(?:\.\d+)?)\s*([kmg]?)i?b?\s*$/i.exec(String(written ?? '')) ?? []
  if (number === undefined) return undefined
  return Math.floor(Number(number) * 1024 ** ' kmg'.indexOf(unit.toLowerCase() || ' '))
}

function zoneOf(cfg: HostConfig | undefined): string {
  const system = Intl.DateTimeFormat().resolvedOptions().timeZone
  const written = cfg?.agents?.defaults?.userTimezone
  if (typeof written !== 'string') return system
  try {
    return new Intl.DateTimeFormat('en', { timeZone: written }).resolvedOptions().timeZone
  } catch {
    // No such zone: the host, too, takes the system's.
    return system
  }
}
