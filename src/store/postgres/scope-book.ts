import type { Scope } from '../../model/memory.ts'
import type { SettledDraft } from '../write-plan/draft.ts'
import type { Transaction } from './postgres-connection.ts'

/** The numbers of the scopes that a write names; new ones for new scopes. */
export class ScopeBook {
  readonly #tenant: string
  readonly #takeNumber: () => number
  readonly #numbers = new Map<string, number>()

  constructor(tenant: string, takeNumber: () => number) {
    this.#tenant = tenant
    this.#takeNumber = takeNumber
  }

  /** Learns the scopes of memories, and adds those that the store does not know. */
  async settle(tx: Transaction, drafts: readonly SettledDraft[]): Promise<void> {
    const wanted = new Map<string, Scope>()
    for (const { canonical } of drafts)
      if (canonical) wanted.set(keyOf(canonical.content.scope), canonical.content.scope)
    if (wanted.size === 0) return
    const known = await tx.query('SELECT number, agent, project, visibility FROM scope WHERE tenant = $1', [
      this.#tenant,
    ])
    for (const { number, agent, project, visibility } of known) {
      this.#numbers.set([agent, project, visibility].join('\0'), Number(number))
    }
    const fresh = [...wanted].filter(([key]) => !this.#numbers.has(key))
    for (const [key] of fresh) this.#numbers.set(key, this.#takeNumber())
    if (fresh.length === 0) return
    await tx.run(
      'INSERT INTO scope (tenant, number, agent, project, visibility) SELECT $1, u.* FROM unnest($2::integer[], $3::text[], $4::text[], $5::text[]) AS u',
      [
        this.#tenant,
        fresh.map(([key]) => this.#numbers.get(key) ?? 0),
        fresh.map(([, { agent }]) => agent),
        fresh.map(([, { project }]) => project),
        fresh.map(([, { visibility }]) => visibility),
      ],
    )
  }

  numberOf(scope: Scope): number {
    return this.#numbers.get(keyOf(scope)) ?? 0
  }
}

function keyOf({ agent, project, visibility }: Scope): string {
  return [agent, project, visibility].join('\0')
}
