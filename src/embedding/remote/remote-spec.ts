import { MadeleineError } from '../../errors.ts'

/** Which interface a service speaks. `openai` is every endpoint compatible with it. */
export type RemoteKind = 'ollama' | 'openai' | 'voyage'
export const REMOTE_KINDS: readonly RemoteKind[] = ['ollama', 'openai', 'voyage']

/** A remote model as the user names it: `kind:model`. */
export interface RemoteSpec {
  kind: RemoteKind
  model: string
}

/**
 * Reads `ollama:MODEL`, `openai:MODEL` or `voyage:MODEL`; undefined for anything else (`bundled`, `none`, …). The model may
 * hold colons. Throws INVALID_OPTION when the model is missing.
 */
export function parseRemoteSpec(text: string): RemoteSpec | undefined {
  const colon = text.indexOf(':')
  const prefix = colon < 0 ? text : text.slice(0, colon)
  const kind = REMOTE_KINDS.find((known) => known === prefix)
  if (!kind) return undefined
  const model = colon < 0 ? '' : text.slice(colon + 1).trim()
  if (model === '') {
    throw new MadeleineError('INVALID_OPTION', `Cannot use the embedding "${text}": it names no model`, {
      remedy: `Write ${kind}:MODEL, for example ${EXAMPLES[kind]}`,
    })
  }
  return { kind, model }
}

const EXAMPLES: Record<RemoteKind, string> = {
  ollama: 'ollama:nomic-embed-text',
  openai: 'openai:text-embedding-3-small',
  voyage: 'voyage:voyage-3-large',
}
