import type { Memory } from '../../model/memory.ts'
import { KeptMemories } from '../kept-memories.ts'
import type { Transaction } from './postgres-connection.ts'
import { readByOrdinals } from './read-by-ordinals.ts'

type Found = Map<number, Readonly<Memory>>

const SELECT_ACCESS = 'SELECT id, count, last FROM access WHERE tenant = $1 AND id = ANY($2::text[])'

/** The memories of one tenant, those of the last searches kept as they are at the change of memories that the tenant's index stands at. */
export class TenantMemories {
  readonly #tenant: string
  readonly #kept = new KeptMemories()
  #structure = -1

  constructor(tenant: string) {
    this.#tenant = tenant
  }

  /** Goes along with the index to a change of memories; `mayDiffer` tells by ordinal of which memories something may be another since the last one. */
  follow(structure: number, mayDiffer: (ordinal: number) => boolean): void {
    this.#kept.forgetOrdinals(mayDiffer)
    this.#structure = structure
  }

  /** Memories by ordinal, in no order; those that are not there are left out. `structure` is that of the state that the transaction sees. */
  async read(tx: Transaction, ordinals: readonly number[], structure: number): Promise<Found> {
    const isCurrent = structure === this.#structure
    const { known, unknown } = isCurrent ? this.#kept.find(ordinals) : { known: new Map(), unknown: ordinals }
    const found: Found = known.size > 0 ? await this.#withAccess(tx, known) : new Map()
    for (const [ordinal, memory] of await readByOrdinals(tx, this.#tenant, unknown)) found.set(ordinal, memory)
    // Another call may have seen a later state meanwhile.
    if (structure === this.#structure) this.#kept.keep(found)
    return found
  }

  /** That a memory was read changes nothing else of it, so that it is asked for by itself, whoever reads at the same time. */
  async #withAccess(tx: Transaction, known: Found): Promise<Found> {
    const rows = await tx.query(SELECT_ACCESS, [this.#tenant, Array.from(known.values(), ({ id }) => id)])
    const accesses = new Map(
      rows.map(({ id, count, last }) => [String(id), { count: Number(count), last: String(last) }]),
    )
    const found: Found = new Map()
    for (const [ordinal, memory] of known) {
      const { count = 0, last } = accesses.get(memory.id) ?? {}
      const isSame = memory.accessCount === count && memory.lastAccess === last
      found.set(ordinal, isSame ? memory : setAccess(memory, count, last))
    }
    return found
  }
}

function setAccess(memory: Readonly<Memory>, accessCount: number, lastAccess: string | undefined): Memory {
  const { lastAccess: _, ...rest } = memory
  return { ...rest, accessCount, ...(lastAccess !== undefined && { lastAccess }) }
}
