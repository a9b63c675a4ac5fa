/** Every tunable of the hosts' doors, as src/options.ts has them of the rest: default, unit, range, reason. */

/** Characters that a hook gives its host at most, 1,000 to 10,000: above 10,000 Claude Code shows the beginning only. */
export const HOOK_MAX_CHARS = 9000
/** A longer event than this, bytes, is left unanswered: it would cost the turn more than a memory is worth. */
export const HOOK_MAX_EVENT_BYTES = 16 * 1024 * 1024
/** How long a hook lives at most beyond the deadline of its recall, ms: reading the event, loading, and writing the answer. */
export const HOOK_GRACE_MS = 700
/** Share of the deadline that a hook waits for the warm process before it looks itself, [0.1,0.9]. */
export const HOOK_WARM_SHARE = 0.5
/** How long a hook waits until the warm process has taken on an errand, ms: it only writes it down. */
export const HOOK_ERRAND_MS = 300
/** Settings that are kept made out for hooks, one for each state of configuration and variables, 1 to 16. */
export const HOOK_KEPT_SETTINGS = 4
/** Compiled code that hooks keep, one for each version of Node and state of the program, 1 to 16: more are of versions that are gone. */
export const HOOK_KEPT_CODES = 4
/**
 * Recalls with something to say that add the code they ran to what is kept, 1 to 16: a silent one runs half of it, and each prompt some that others
 * do not.
 */
export const HOOK_CODE_ROUNDS = 3
/** Bytes at the end of a running transcript in which a hook looks for the last turns. */
export const HOOK_TAIL_BYTES = 96 * 1024
/** Bytes of the log of failed hooks; when it is full, the older half goes. */
export const HOOK_LOG_BYTES = 64 * 1024
/** The warm process ends when it was not asked for so long, ms: a pause for lunch is shorter, a night is longer. */
export const WARM_IDLE_MS = 30 * 60_000
/**
 * The warm process ends when it holds so many bytes more than when it was ready, 256 MiB to 8 GiB: a search keeps what it read within bounds
 * that are far below, and the next hook starts another one.
 */
export const WARM_MAX_GROWTH_BYTES = 1024 * 1024 * 1024
/** How often the warm process looks whether it is still the one that is found, and whether it may end, ms. */
export const WARM_CHECK_MS = 5000
/** A request to the warm process longer than this, bytes, is refused: a prompt and four turns are far below. */
export const WARM_MAX_REQUEST_BYTES = 32 * 1024 * 1024
/** Whoever began to start a warm process longer ago than this, ms, has failed at it. */
export const WARM_START_MS = 15_000

/**
 * The OpenClaw plugin. `openingMs`: what the first recall of a process may take beyond its deadline while the store is opened, 0 to
 * 5000: else the only turn of a one-shot run would never be told anything; the host waits 15 s. `graceMs`: how much later than the
 * engine the hook itself gives up, 0 to 500: the engine's own answer comes first. `settleMs`: pause before the transcript of an ended
 * turn is read, 0 to 10,000: hosts say that it ended a little before the last of it is written. `maxPauseMs`: where the host still
 * writes, the pause doubles up to this, 5000 to 120,000, then the next turn's run has to do it. `heartbeatMs`: what a heartbeat's tick may
 * take, opening the store included, 1000 to 14,000: nobody waits for it, but the host does for 15 s.
 */
export const OPENCLAW_PLUGIN = {
  openingMs: 3000,
  graceMs: 100,
  settleMs: 1500,
  maxPauseMs: 50_000,
  heartbeatMs: 10_000,
} as const
/** The warm process makes vectors where so few are wanting or fewer: some minutes of a session, seconds of work; the many are for `index`. */
export const WARM_EMBED_PENDING = 2000
