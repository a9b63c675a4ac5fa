import { describe, expect, it } from 'vitest'
import { findHostTroubles } from './find-host-troubles.ts'
import type { HostConfig, PluginApi } from './host-types.ts'

const logger = { info: () => undefined, warn: () => undefined, error: () => undefined }
const modern = (plugins: HostConfig['plugins'] = {}): PluginApi => ({
  logger,
  config: { plugins },
  registerMemoryCapability: () => undefined,
})
const companion = { id: 'madeleine', mode: 'companion' } as const
const owner = { id: 'madeleine-memory', mode: 'owner' } as const
const consent = { hooks: { allowConversationAccess: true } }

describe('what keeps the plugin from its work in OpenClaw', () => {
  it('is a consent that newer hosts want and older ones do not know', () => {
    expect(findHostTroubles(modern(), companion).map(({ id }) => id)).toEqual(['openclaw-consent'])
    expect(findHostTroubles(modern(), companion)[0]?.remedy).toContain(
      'plugins.entries.madeleine.hooks.allowConversationAccess',
    )
    expect(findHostTroubles(modern({ entries: { madeleine: consent } }), companion)).toEqual([])
    expect(findHostTroubles({ logger, config: {} }, companion)).toEqual([])
  })

  it('is a ban on putting anything before a turn', () => {
    const hooks = { allowConversationAccess: true, allowPromptInjection: false }
    const found = findHostTroubles(modern({ entries: { madeleine: { hooks } } }), companion)
    expect(found.map(({ id }) => id)).toEqual(['openclaw-injection'])
  })

  it('is a slot that another plugin has, or both plugins at once', () => {
    const entries = { 'madeleine-memory': { enabled: true, ...consent } }
    const found = findHostTroubles(modern({ slots: { memory: 'memory-core' }, entries }), owner)
    expect(found.map(({ message }) => message)).toEqual([expect.stringContaining('"memory-core"')])
    expect(findHostTroubles(modern({ slots: { memory: 'madeleine-memory' }, entries }), owner)).toEqual([])
    const both = { ...entries, madeleine: { enabled: true } }
    const twice = findHostTroubles(modern({ slots: { memory: 'madeleine-memory' }, entries: both }), owner)
    expect(twice.map(({ id }) => id)).toEqual(['openclaw-both'])
  })
})
