import { setTimeout as sleep } from 'node:timers/promises'
import { MadeleineError } from '../../../errors.ts'
import type { Database } from '../database.ts'
import { REPLICA } from '../postgres-options.ts'
import { notAReplica } from './open-replica.ts'

/** As of when a replica shows the store that it follows. */
export interface ReplicaState {
  /** It lacks what was written some time ago. */
  isBehind: boolean
  /** When the last change that it has was made, ISO; null where that is not known. */
  asOf: string | null
}

const SELECT_WRITTEN = 'SELECT pg_current_wal_lsn()::text AS written'
/** $1: how far the primary had written; null where it does not say. */
const SELECT_STATE = `SELECT pg_is_in_recovery() AS follows, coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, true) AS reached,
  to_char(pg_last_xact_replay_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS as_of`

/**
 * Whether a replica comes to have within REPLICA.graceMs what the primary had written when it was asked. Rejects with STORE_UNUSABLE where
 * the replica does not answer in time, or follows nobody any more. Where the primary does not answer, nothing is known to be missing.
 */
export async function readReplicaState(primary: Database, replica: Database): Promise<ReplicaState> {
  const written = await inTime(ask(primary, SELECT_WRITTEN), primary.location).then(
    (row) => String(row?.written),
    () => null,
  )
  const pauses = REPLICA.graceMs / REPLICA.pauseMs
  for (let pause = 0; ; pause++) {
    const row = await inTime(ask(replica, SELECT_STATE, [written]), replica.location)
    if (row?.follows !== true) throw notAReplica(replica.location)
    const asOf = typeof row.as_of === 'string' ? row.as_of : null
    if (row.reached === true || pause >= pauses) return { isBehind: row.reached !== true, asOf }
    await sleep(REPLICA.pauseMs)
  }
}

async function ask(database: Database, sql: string, parameters: Array<string | null> = []) {
  return database.withSession(async (session) => (await session.query(sql, parameters)).rows[0])
}

/** Rejects with STORE_UNUSABLE what takes longer than a server that can be used. */
export async function inTime<T>(answer: Promise<T>, location: string): Promise<T> {
  const ended = new AbortController()
  const late = sleep(REPLICA.answerMs, undefined, { signal: ended.signal, ref: false }).then(() => {
    throw new MadeleineError('STORE_UNUSABLE', `Cannot use store ${location}: it does not answer`, {
      remedy: 'Check that the server runs and can be reached',
    })
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    ended.abort()
    late.catch(() => undefined)
    answer.catch(() => undefined)
  }
}
