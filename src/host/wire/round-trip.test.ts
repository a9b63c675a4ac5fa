import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { documents, layouts, tomlTexts, writeJson } from '../../../test/wire/config-texts.ts'
import { WIRABLE_HOSTS } from './hosts.ts'
import { parseJson, toValue } from './json/parse-json.ts'
import type { HostFile, Launch, WirePlaces } from './wirable-host.ts'

const places: WirePlaces = { home: '/home/nobody-here', cwd: '/', env: {}, platform: 'linux' }
const launch: Launch = {
  command: '/usr/bin/node',
  script: '/opt/madeleine/dist/cli/main.js',
  options: ['--config', '/etc/my config.yaml'],
  packageFolder: '/opt/madeleine',
  pluginConfig: { store: '/s.sqlite' },
}

/** What hosts' files hold already, of the groups that ours go into. */
const groups = fc.record(
  {
    mcpServers: fc.constantFrom({}, { other: { command: 'x' } }),
    servers: fc.constantFrom({}, { other: { type: 'stdio', command: 'x' } }),
    mcp: fc.constantFrom({}, { other: { type: 'local', command: ['x'] } }, { servers: { x: { type: 'local' } } }),
    hooks: fc.constantFrom({}, { Stop: [] }, { Stop: [{ hooks: [{ type: 'command', command: 'say' }] }], Other: [] }),
    plugins: fc.constantFrom(
      {},
      { load: { paths: ['/x'] }, allow: [], slots: { memory: 'memory-core' } },
      { load: {}, allow: ['x'], entries: { 'memory-core': { enabled: false } } },
      { entries: {}, slots: {} },
    ),
  },
  { requiredKeys: [] },
)
const jsonTexts = fc.tuple(groups, documents, fc.boolean(), layouts).map(([ours, others, isFirst, layout]) => {
  // Of equal names the group is the one that hosts understand.
  const rest = Object.fromEntries(
    Object.entries(others).filter(([name]) => !(name in ours) && name !== 'plugins' && name !== 'servers'),
  )
  return writeJson(isFirst ? { ...ours, ...rest } : { ...rest, ...ours }, layout)
})

const variants = WIRABLE_HOSTS.flatMap((host) =>
  [undefined, ...(host.variants ?? [])].map((variant) => ({ host, variant })),
)
const files = variants.flatMap(({ host, variant }) =>
  host
    .files(places, launch, variant)
    .map((file): [string, HostFile] => [`${variant ?? 'as usual'}: ${file.path}`, file]),
)
const isToml = ({ path }: HostFile): boolean => path.endsWith('.toml')

describe.each(files)('%s', (_name, file) => {
  const texts = isToml(file) ? tomlTexts : jsonTexts

  it('says the same after wiring and unwiring as before', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const wired = file.wire(text)
        const { present, wanted } = file.look(wired)
        expect(present).toBe(wanted)
        expect(file.wire(wired)).toBe(wired)
        const back = file.unwire(wired, text)
        expect(file.look(back).present).toBe(0)
        if (isToml(file)) expect(back).toBe(text)
        else expect(toValue(parseJson(back))).toEqual(toValue(parseJson(text)))
      }),
    )
  })

  it('is empty again where nothing else was in it', () => {
    expect(file.unwire(file.wire(undefined)).trim()).toBe(isToml(file) ? '' : '{}')
  })
})
