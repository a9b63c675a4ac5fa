import type { Finding } from '../../../index.ts'
import { findConfigTroubles } from '../../openclaw/find-host-troubles.ts'
import type { HostConfig } from '../../openclaw/host-types.ts'
import { readAt } from '../json/edit-json.ts'
import type { HostCheck } from '../wirable-host.ts'
import { asksForConsent, HOST_MEMORY, PLUGINS, type PluginMode } from './openclaw-plugins.ts'

/** What in OpenClaw's configuration keeps our plugins from their work, as far as the file tells. */
export function findOpenClawTroubles({ files }: HostCheck): Finding[] {
  return files.flatMap(({ text }) => {
    const modes = (['companion', 'owner'] as const).filter((mode) => hasEntry(text, mode))
    const config = { plugins: readAt(text, ['plugins']) } as HostConfig
    const asks = asksForConsent(text)
    const found = modes.flatMap((mode) => [
      ...findConfigTroubles(config, { id: PLUGINS[mode].id, mode, asksForConsent: asks }),
      ...findLockedOut(text, mode),
    ])
    // Both plugins find that both are there.
    return found.filter(({ message }, at) => found.findIndex((one) => one.message === message) === at)
  })
}

function hasEntry(text: string, mode: PluginMode): boolean {
  return readAt(text, ['plugins', 'entries', PLUGINS[mode].id]) !== undefined
}

function findLockedOut(text: string, mode: PluginMode): Finding[] {
  const { id, tools } = PLUGINS[mode]
  const at = (...place: string[]): unknown => readAt(text, place)
  const findings: Finding[] = []
  const add = (name: string, message: string, remedy: string, severity: Finding['severity'] = 'error'): void =>
    void findings.push({ id: `openclaw-${name}`, severity, message, remedy })
  if (at('plugins', 'enabled') === false)
    add('off', 'OpenClaw loads no plugins', 'Remove "enabled": false from plugins')
  if (at('plugins', 'entries', id, 'enabled') !== true) {
    add('disabled', `The plugin "${id}" is not enabled in OpenClaw`, `Set plugins.entries.${id}.enabled to true`)
  }
  if (listed(at('plugins', 'deny'), id)) add('deny', `plugins.deny forbids "${id}"`, `Take "${id}" out of plugins.deny`)
  const allow = at('plugins', 'allow')
  if (Array.isArray(allow) && allow.length > 0 && !listed(allow, id)) {
    add('allow', `plugins.allow lists other plugins than "${id}"`, `Add "${id}" to plugins.allow`)
  }
  for (const tool of tools.filter((name) => listed(at('tools', 'deny'), name))) {
    add('tool-denied', `tools.deny forbids the tool ${tool}`, `Take "${tool}" out of tools.deny`, 'warning')
  }
  if (mode === 'owner' && at('plugins', 'entries', HOST_MEMORY, 'enabled') !== false) {
    const message = `${HOST_MEMORY} is enabled beside "${id}" and has tools of the same names`
    add('tool-conflict', message, `Set plugins.entries.${HOST_MEMORY}.enabled to false`, 'warning')
  }
  return findings
}

function listed(list: unknown, name: string): boolean {
  return Array.isArray(list) && list.includes(name)
}
