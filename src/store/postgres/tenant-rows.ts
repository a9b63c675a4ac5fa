import { CUE_VERSION } from '../../text/cues/cue-options.ts'
import { indexVersion } from '../keyword-index/index-version.ts'
import { otherVersionError } from '../store-errors.ts'
import type { PostgresConnection, Transaction } from './postgres-connection.ts'

/** The numbers of a tenant that a write begins with. */
export interface TenantNumbers {
  /** Of this write. */
  sequence: number
  nextOrdinal: number
  nextDocument: number
  nextScope: number
  nextSegment: number
}

const SELECT_NUMBERS = `SELECT sequence, next_ordinal, next_document, next_scope, next_segment, index_version
  FROM tenant WHERE tenant = $1`
/** Of a tenant that is new there are no cues that another version of the program has read. */
const INSERT_TENANT = `WITH made AS (
    INSERT INTO tenant (tenant, index_version) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING tenant
  ) INSERT INTO cue_reading (tenant, version) SELECT tenant, $3 FROM made ON CONFLICT DO NOTHING`

/** The numbers of a tenant, which gets its row with its first write. Refuses what another version of the program has taken over. */
export async function readNumbers(
  connection: Pick<PostgresConnection, 'location'>,
  tx: Transaction,
  tenant: string,
): Promise<TenantNumbers> {
  const [row] = await tx.query(SELECT_NUMBERS, [tenant])
  if (!row) {
    await tx.run(INSERT_TENANT, [tenant, indexVersion(), CUE_VERSION])
    return { sequence: 1, nextOrdinal: 1, nextDocument: 1, nextScope: 1, nextSegment: 1 }
  }
  if (row.index_version !== indexVersion()) throw otherVersionError(connection.location)
  return {
    sequence: Number(row.sequence) + 1,
    nextOrdinal: Number(row.next_ordinal),
    nextDocument: Number(row.next_document),
    nextScope: Number(row.next_scope),
    nextSegment: Number(row.next_segment),
  }
}

/** Keeps them after a write that changed memories. */
export async function writeNumbers(tx: Transaction, tenant: string, numbers: TenantNumbers): Promise<void> {
  const { sequence, nextOrdinal, nextDocument, nextScope, nextSegment } = numbers
  await tx.run(
    `UPDATE tenant SET sequence = $2, structure = $2, next_ordinal = $3, next_document = $4, next_scope = $5, next_segment = $6
     WHERE tenant = $1`,
    [tenant, sequence, nextOrdinal, nextDocument, nextScope, nextSegment],
  )
}

/** Raises the change sequence of a tenant and returns it; within a write. `structure`: a roster changes with it. */
export async function raiseSequence(
  tx: Transaction,
  tenant: string,
  { isStructure = false }: { isStructure?: boolean } = {},
): Promise<number> {
  await tx.run(INSERT_TENANT, [tenant, indexVersion(), CUE_VERSION])
  const [row] = await tx.query(
    `UPDATE tenant SET sequence = sequence + 1, structure = CASE WHEN $2 THEN sequence + 1 ELSE structure END
     WHERE tenant = $1 RETURNING sequence`,
    [tenant, isStructure],
  )
  return Number(row?.sequence)
}
