import type { Finding } from '../../index.ts'
import type { HostConfig, PluginApi } from './host-types.ts'

/** What in the host's own configuration keeps the plugin from its work: the host says it in its log at most. */
export function findHostTroubles(api: PluginApi, { id, mode }: { id: string; mode: 'companion' | 'owner' }): Finding[] {
  // Hosts that ask for consent are those that take a memory in one piece.
  return findConfigTroubles(api.config, { id, mode, asksForConsent: api.registerMemoryCapability !== undefined })
}

/** The same of a configuration alone. */
export function findConfigTroubles(
  config: HostConfig | undefined,
  { id, mode, asksForConsent }: { id: string; mode: 'companion' | 'owner'; asksForConsent: boolean },
): Finding[] {
  const { slots, entries = {} } = config?.plugins ?? {}
  const hooks = entries[id]?.hooks ?? {}
  const at = `plugins.entries.${id}.hooks`
  const findings: Finding[] = []
  const add = (name: string, message: string, remedy: string): void =>
    void findings.push({ id: `openclaw-${name}`, severity: 'error', message, remedy })
  if (asksForConsent && hooks.allowConversationAccess !== true) {
    add(
      'consent',
      'OpenClaw shows the plugin no conversations: nothing is recalled',
      `Set ${at}.allowConversationAccess to true`,
    )
  }
  if (hooks.allowPromptInjection === false) {
    add('injection', 'OpenClaw lets the plugin put nothing before a turn', `Remove ${at}.allowPromptInjection`)
  }
  if (mode === 'owner' && slots?.memory !== id) {
    add(
      'slot',
      `OpenClaw's memory slot is set to ${JSON.stringify(slots?.memory ?? null)}`,
      `Set plugins.slots.memory to "${id}"`,
    )
  }
  if (entries.madeleine?.enabled === true && entries['madeleine-memory']?.enabled === true) {
    add('both', 'Both Madeleine plugins are enabled: one of them is enough', 'Disable the one that you do not want')
  }
  return findings
}
