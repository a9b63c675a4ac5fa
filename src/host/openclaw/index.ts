import type { PluginApi } from './host-types.ts'
import { type PluginMode, registerPlugin } from './register-plugin.ts'

export { PLUGIN_SETTINGS, readPluginConfig } from './read-plugin-config.ts'
export { registerPlugin, TOOL_NAMES } from './register-plugin.ts'

/** What an OpenClaw plugin's entry exports by default. */
export interface PluginEntry {
  id: string
  name: string
  description: string
  register(api: PluginApi): void
}

/** The entry of one mode: `plugins/openclaw` is the companion, `plugins/openclaw-memory` the owner of the memory slot. */
export function createPluginEntry(mode: PluginMode): PluginEntry {
  const id = mode === 'owner' ? 'madeleine-memory' : 'madeleine'
  return {
    id,
    name: mode === 'owner' ? 'Madeleine (memory)' : 'Madeleine',
    description: 'Involuntary memory: what matters from notes and past sessions surfaces by itself before a turn.',
    register: (api) => registerPlugin(api, { id, mode }),
  }
}
