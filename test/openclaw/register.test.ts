import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import type { RegistrationMode } from '../../src/host/openclaw/host-types.ts'
import { PLUGIN_SETTINGS } from '../../src/host/openclaw/read-plugin-config.ts'
import { type PluginMode, registerPlugin, TOOL_NAMES } from '../../src/host/openclaw/register-plugin.ts'
import { useAgentHome } from './agent-home.ts'
import { createFakeHost, type Generation } from './fake-host.ts'

const MODES: RegistrationMode[] = ['full', 'discovery', 'tool-discovery', 'setup-only', 'setup-runtime', 'cli-metadata']
const IDS = { companion: 'madeleine', owner: 'madeleine-memory' } as const
const home = useAgentHome()

/** What is left of a list when each of the others is taken out of it once. */
function withoutEach(list: readonly string[], others: readonly string[]): string[] {
  const left = [...list]
  for (const other of others) if (left.includes(other)) left.splice(left.indexOf(other), 1)
  return left
}

function hostOf(generation: Generation, mode: PluginMode, pluginConfig: object = {}) {
  return createFakeHost({
    generation,
    stateDir: home.stateDir,
    isMemoryKind: mode === 'owner',
    pluginConfig: { store: home.storeFile, ...pluginConfig },
  })
}

function manifestOf(mode: PluginMode) {
  const folder = mode === 'owner' ? 'openclaw-memory' : 'openclaw'
  return JSON.parse(readFileSync(new URL(`../../plugins/${folder}/openclaw.plugin.json`, import.meta.url), 'utf8'))
}

describe.each(['companion', 'owner'] as const)('the OpenClaw plugin as %s', (mode) => {
  const refuseToOpen = () => {
    throw new Error('registering opens nothing')
  }

  it.each(['classic', 'modern'] as const)(
    'registers in every mode of a %s host, twice and late, and does nothing by it',
    async (generation) => {
      const host = hostOf(generation, mode)
      const before = process.getActiveResourcesInfo()
      const registerAll = () => {
        for (const registrationMode of MODES) {
          const api = host.api(registrationMode)
          const seams = { openEngine: refuseToOpen, startIndexRun: refuseToOpen }
          for (const _ of [1, 2]) registerPlugin(api, { id: IDS[mode], mode }, seams)
        }
      }
      registerAll()
      await new Promise((resolve) => setImmediate(resolve))
      registerAll()
      expect(existsSync(home.storeFile)).toBe(false)
      expect(host.log).toEqual([])
      // What the test runner has open meanwhile goes by itself; what the plugin left open would stay.
      await vi.waitFor(() => expect(withoutEach(process.getActiveResourcesInfo(), before)).toEqual([]), 10_000)
    },
  )

  it('gives a registration object its hooks once, and none where the host only looks at tools or sets up', () => {
    const host = hostOf('modern', mode)
    for (const registrationMode of ['tool-discovery', 'setup-only', 'setup-runtime', 'cli-metadata']) {
      registerPlugin(host.api(registrationMode), { id: IDS[mode], mode })
    }
    expect(host.hooks).toEqual([])
    const api = host.api('full')
    registerPlugin(api, { id: IDS[mode], mode })
    registerPlugin(api, { id: IDS[mode], mode })
    expect(host.hooks.filter(({ name }) => name === 'before_prompt_build')).toHaveLength(1)
    expect(host.services).toHaveLength(1)
  })

  it('asks for the turn to be allowed the tool, and names its tools and command as the manifest does', () => {
    const host = hostOf('modern', mode)
    registerPlugin(host.api('full'), { id: IDS[mode], mode })
    expect(host.hooks.find(({ name }) => name === 'before_prompt_build')?.options.requiresToolAuthority).toBe(true)
    const manifest = manifestOf(mode)
    expect(manifest.id).toBe(IDS[mode])
    expect([...host.tools.keys()]).toEqual(manifest.contracts.tools)
    expect(Object.keys(manifest.toolMetadata)).toEqual(manifest.contracts.tools)
    for (const [name, create] of host.tools) expect(create({})?.name).toBe(name)
    expect(host.commands).toEqual(manifest.cliCommands.map(({ name }: { name: string }) => name))
  })

  it('says which setting it cannot use, its value and what is allowed', () => {
    const bad: Array<[object, RegExp]> = [
      [{ recall: { threshold: 7 } }, /recall\.threshold: 7 .*a number from 0 to 1/],
      [{ embedding: 'word2vec' }, /embedding: "word2vec" .*ollama:MODEL/],
      [{ timeZone: 'Mars/Olympus' }, /timeZone: "Mars\/Olympus" .*Europe\/Zurich/],
      [{ archives: ['reset', 'all'] }, /archives: \["reset","all"\] .*checkpoint/],
      [{ indexAfterTurn: 'no' }, /indexAfterTurn: "no" .*true or false/],
      [{ treshold: 0.5 }, /treshold: 0\.5 .*recall\.threshold/],
      [{ recall: true }, /recall: true .*an object/],
      [{ heartbeat: { quietHours: '07:00-07:00' } }, /heartbeat\.quietHours: "07:00-07:00" .*or none/],
      [{ heartbeat: { autonomy: 'eager' } }, /heartbeat\.autonomy: "eager" .*observe, suggest, act/],
      [{ correlation: { minScore: 'high' } }, /correlation\.minScore: "high" .*a number from 0 to 1/],
    ]
    for (const [config, message] of bad) {
      const host = hostOf('modern', mode, config)
      expect(() => registerPlugin(host.api('full'), { id: IDS[mode], mode })).toThrow(message)
      expect(() => registerPlugin(host.api('discovery'), { id: IDS[mode], mode })).not.toThrow()
      expect(host.hooks).toEqual([])
    }
  })

  it('tells the host the same settings as it takes', () => {
    const { configSchema, uiHints, configGroups } = manifestOf(mode)
    const { recall, correlation, heartbeat, ...plain } = configSchema.properties
    const flatten = (group: string, { properties }: { properties: object }) =>
      Object.fromEntries(Object.entries(properties).map(([key, schema]) => [`${group}.${key}`, schema]))
    const groups = { recall, correlation, heartbeat }
    const flat = Object.assign(plain, ...Object.entries(groups).map(([name, group]) => flatten(name, group)))
    const withoutDefaults = Object.fromEntries(
      Object.entries(flat as Record<string, { default?: unknown }>).map(([key, { default: _, ...schema }]) => [
        key,
        schema,
      ]),
    )
    const expected = Object.fromEntries(
      Object.entries(PLUGIN_SETTINGS).map(([key, { schema }]) => [key, JSON.parse(JSON.stringify(schema))]),
    )
    expect(withoutDefaults).toEqual(expected)
    expect(configSchema.additionalProperties).toBe(false)
    expect(recall.additionalProperties).toBe(false)
    expect(correlation.additionalProperties).toBe(false)
    expect(heartbeat.additionalProperties).toBe(false)
    expect(Object.keys(flat).length).toBeLessThanOrEqual(25)
    expect(Object.keys(uiHints).toSorted()).toEqual(Object.keys(flat).toSorted())
    const grouped = configGroups.flatMap(({ properties }: { properties: string[] }) => properties)
    expect(grouped.toSorted()).toEqual(Object.keys(configSchema.properties).toSorted())
  })
})

describe('the place in the host', () => {
  it('leaves the host its own memory as companion, and adds to its search where it can', () => {
    const modern = hostOf('modern', 'companion')
    registerPlugin(modern.api('full'), { id: 'madeleine', mode: 'companion' })
    expect(modern.memory.capability).toBeUndefined()
    expect(modern.memory.supplement).toBeDefined()
    expect(manifestOf('companion').kind).toBeUndefined()
    expect([...modern.tools.keys()]).not.toContain(TOOL_NAMES.owner.search)
    const classic = hostOf('classic', 'companion')
    registerPlugin(classic.api('full'), { id: 'madeleine', mode: 'companion' })
    expect(classic.memory).toEqual({})
  })

  it('is the memory as owner: in one piece on newer hosts, part by part on older ones', () => {
    const modern = hostOf('modern', 'owner')
    registerPlugin(modern.api('full'), { id: 'madeleine-memory', mode: 'owner' })
    expect(Object.keys(modern.memory.capability ?? {})).toEqual(['promptBuilder', 'flushPlanResolver', 'runtime'])
    expect(manifestOf('owner').kind).toBe('memory')
    const classic = hostOf('classic', 'owner')
    registerPlugin(classic.api('full'), { id: 'madeleine-memory', mode: 'owner' })
    expect(classic.memory.prompt?.({ availableTools: new Set(['memory_search']) }).join('\n')).toMatch(/memory_search/)
    expect(classic.memory.flush?.({ nowMs: Date.UTC(2026, 5, 8, 12) })?.relativePath).toMatch(
      /^memory\/2026-06-0\d\.md$/,
    )
  })

  it('goes on without the slot where the host gives it to another', () => {
    const host = createFakeHost({
      generation: 'modern',
      stateDir: home.stateDir,
      pluginConfig: { store: home.storeFile },
    })
    registerPlugin(host.api('full'), { id: 'madeleine-memory', mode: 'owner' })
    expect(host.log.join('\n')).toMatch(/only memory plugins/)
    expect(host.hooks.map(({ name }) => name)).toContain('before_prompt_build')
  })
})
