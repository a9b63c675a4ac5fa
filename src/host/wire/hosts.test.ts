import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { checkHosts } from './check-hosts.ts'
import { findHosts, hostNames, WIRABLE_HOSTS } from './hosts.ts'
import type { Launch, WirableHost, WirePlaces } from './wirable-host.ts'
import { carryOut, planUnwiring, planWiring } from './wire-hosts.ts'

let home: string
let places: WirePlaces
let launch: Launch
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'madeleine-wire-')))
  places = { home, cwd: home, env: {}, platform: 'linux' }
  launch = installedIn(join(home, 'lib', 'madeleine'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

/** An installation whose files are there. */
function installedIn(packageFolder: string): Launch {
  const script = join(packageFolder, 'dist', 'cli', 'main.js')
  for (const folder of ['plugins/openclaw', 'plugins/openclaw-memory', 'dist/cli']) {
    mkdirSync(join(packageFolder, folder), { recursive: true })
  }
  writeFileSync(script, '')
  return { command: process.execPath, script, options: [], packageFolder, pluginConfig: {} }
}

const wire = (...names: string[]) => carryOut(planWiring(findHosts(names), { places, launch, isNamed: true }))
const unwire = (...names: string[]) => carryOut(planUnwiring(findHosts(names), { places, launch }))
const read = (path: string): string => readFileSync(path, 'utf8')

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

function pathsOf(host: WirableHost): string[] {
  return host.files(places, launch).map(({ path }) => path)
}

/** Files below a folder with what they hold. */
function snapshot(folder = home): Record<string, string> {
  const files = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((entry) => !entry.isDirectory())
  return Object.fromEntries(files.map(({ name, parentPath }) => [join(parentPath, name), read(join(parentPath, name))]))
}

/** What users write: indentation, line ends and comments of many kinds. Names are those of all hosts, so that each meets its own. */
const SERVERS = ['mcpServers', 'servers', 'mcp']
const JSON_TEXTS = [
  '{}',
  '{\n}\n',
  '{"a":1}',
  '{"a":{"b":[1,2,{"c":null}]}}\n',
  ...SERVERS.flatMap((name) => [
    `{\n  "${name}": {\n    "other": {\n      "command": "x"\n    }\n  },\n  "z": true\n}\n`,
    `{\r\n\t"${name}": {},\r\n\t"z": [\r\n\t]\r\n}`,
    `{"${name}":{"other":{"command":"x"}}}`,
    `// first\n{\n    "${name}": { // here\n        "other": { "command": "x" }, // and there\n    }, /* end */\n}\n// last\n`,
  ]),
  '{\n  "hooks": {\n    "Stop": [\n      { "hooks": [{ "type": "command", "command": "say done" }] }\n    ],\n    "SessionEnd": []\n  }\n}\n',
  '{\n  "plugins": {\n    "allow": ["foo"],\n    "load": { "paths": ["/x"] },\n    "slots": { "memory": "memory-core" },\n    "entries": {}\n  }\n}\n',
  "{\n  plugins: {\n    entries: { 'memory-core': { enabled: true, }, },\n  },\n}\n",
]
const TOML_TEXTS = [
  '',
  'model = "x"',
  'model = "x"\n',
  '# only this\n',
  'a.b = 1\r\n\r\n[mcp_servers.other]\r\ncommand = "x" # why\r\nargs = [\r\n  "a", # one\r\n]\r\n',
  "[mcp_servers.other.env]\nKEY = '''\n[mcp_servers.madeleine]\n'''\n\n[[list]]\nx = 1\n[[list]]\nx = 2\n\n\n",
]

describe.each(WIRABLE_HOSTS.map((host) => [host.id, host] as const))('a host: %s', (id, host) => {
  const texts = id === 'codex' ? TOML_TEXTS : JSON_TEXTS

  it('is found by what it keeps, and not by what it does not', () => {
    expect(host.detect(places)).toBe(false)
    for (const path of pathsOf(host)) mkdirSync(dirname(path), { recursive: true })
    expect(host.detect(places)).toBe(true)
  })

  it('is left alone where it is not installed, unless it is named', () => {
    const before = snapshot()
    const plans = planWiring([{ host }], { places, launch, isNamed: false })
    expect(carryOut(plans).map(({ action }) => action)).toEqual(pathsOf(host).map(() => 'absent'))
    expect(snapshot()).toEqual(before)
    expect(wire(id).map(({ action }) => action)).toEqual(pathsOf(host).map(() => 'wired'))
  })

  it('gets nothing the second time', () => {
    for (const text of texts) {
      for (const file of host.files(places, launch)) expect(file.wire(file.wire(text))).toBe(file.wire(text))
    }
    for (const path of pathsOf(host)) put(path, texts[0] ?? '')
    wire(id)
    const once = snapshot()
    expect(wire(id).map(({ action }) => action)).toEqual(pathsOf(host).map(() => 'unchanged'))
    expect(snapshot()).toEqual(once)
  })

  it('is given back to the byte, with nothing left behind', () => {
    for (const text of texts) {
      for (const path of pathsOf(host)) put(path, text)
      const before = snapshot()
      const [report] = wire(id)
      expect(report?.action).toBe('wired')
      expect(unwire(id).map(({ action }) => action)).toEqual(pathsOf(host).map(() => 'unwired'))
      expect(snapshot()).toEqual(before)
    }
  })

  it('keeps a copy that only its owner may read, and its own mode', () => {
    for (const path of pathsOf(host)) {
      put(path, texts[0] ?? '')
      rmSync(path)
      writeFileSync(path, texts[0] ?? '', { mode: 0o640 })
    }
    for (const { backup = '', file } of wire(id)) {
      expect(read(backup)).toBe(texts[0])
      expect(statSync(backup).mode & 0o777).toBe(0o600)
      expect(statSync(file).mode & 0o777).toBe(0o640)
    }
  })

  it('has no file left that was made for our sake, and no folder', () => {
    const before = readdirSync(home).sort()
    wire(id)
    expect(pathsOf(host).every((path) => existsSync(path) && (statSync(path).mode & 0o777) === 0o600)).toBe(true)
    unwire(id)
    expect(snapshot()).toEqual({ [launch.script]: '' })
    expect(pathsOf(host).every((path) => dirname(path) === home || !existsSync(dirname(path)))).toBe(true)
    expect(existsSync(home) && before.length).toBeGreaterThan(0)
  })

  it('keeps what others have changed meanwhile, and loses only what is ours', () => {
    const text = texts[1] ?? ''
    for (const path of pathsOf(host)) put(path, text)
    wire(id)
    for (const path of pathsOf(host)) {
      const wired = read(path)
      put(path, id === 'codex' ? `${wired}\n[later]\nx = 1\n` : wired.replace('{', '{ "later": 1,'))
    }
    const reports = unwire(id)
    for (const [at, path] of pathsOf(host).entries()) {
      expect(read(path)).toContain('later')
      expect(read(path)).not.toMatch(/madeleine/i)
      expect(read(reports[at]?.backup ?? '')).toBe(text)
    }
    expect(checkHosts(places, launch)).toEqual([])
  })

  it('keeps the link where its file is one', () => {
    const [path = ''] = pathsOf(host)
    const target = join(home, 'dotfiles', 'config')
    put(target, texts[1] ?? '')
    mkdirSync(dirname(path), { recursive: true })
    symlinkSync(target, path)
    wire(id)
    expect(lstatSync(path).isSymbolicLink()).toBe(true)
    expect(read(target)).toMatch(/madeleine/)
    unwire(id)
    expect(readlinkSync(path)).toBe(target)
    expect(read(target)).toBe(texts[1])
  })

  it('refuses a file that cannot be read, with the line, and writes nothing', () => {
    const [path = ''] = pathsOf(host)
    for (const broken of id === 'codex' ? ['a = 1\nb = \n'] : ['{\n"a": ,\n}', '{"a": 1}\n}', '[1,\n2']) {
      put(path, broken)
      const before = snapshot()
      expect(() => wire(id)).toThrow(new RegExp(`${path}:[12]: `))
      expect(() => unwire(id)).toThrow(path)
      expect(snapshot()).toEqual(before)
    }
    writeFileSync(path, Buffer.from([0x7b, 0xff, 0x7d]))
    expect(() => wire(id)).toThrow('no UTF-8')
  })

  it('is told the program by its absolute path, and by its new one after a move', () => {
    wire(id)
    const programs = host.files(places, launch).flatMap((file) => file.look(read(file.path)).programs)
    expect(programs.length).toBeGreaterThan(0)
    expect(programs.every((path) => existsSync(path))).toBe(true)
    rmSync(launch.packageFolder, { recursive: true })
    const gone = checkHosts(places, launch)
    expect(gone.length).toBeGreaterThan(0)
    expect(gone.every(({ severity }) => severity === 'error')).toBe(true)
    launch = installedIn(join(home, 'elsewhere', 'madeleine'))
    expect(wire(id).map(({ action }) => action)).toEqual(pathsOf(host).map(() => 'wired'))
    expect(checkHosts(places, launch)).toEqual([])
    unwire(id)
    for (const path of pathsOf(host)) expect(existsSync(path) ? read(path) : '').not.toMatch(/madeleine/i)
  })

  it('is missed by doctor when something has taken our part away', () => {
    const [path = ''] = pathsOf(host)
    const text = texts[1] ?? ''
    put(path, text)
    wire(id)
    expect(checkHosts(places, launch)).toEqual([])
    put(path, text)
    expect(checkHosts(places, launch)).toEqual([
      expect.objectContaining({ id: `${id}-unwired`, remedy: expect.stringContaining(`--wire ${id}`) }),
    ])
  })
})

describe('names of hosts', () => {
  it('are listed when one is not known', () => {
    try {
      findHosts(['claude'])
      expect.unreachable()
    } catch (error) {
      expect(error).toMatchObject({ code: 'INVALID_OPTION', message: expect.stringContaining('"claude"') })
      for (const name of hostNames()) expect(error).toMatchObject({ remedy: expect.stringContaining(name) })
    }
    expect(() => findHosts(['openclaw:other'])).toThrow('openclaw:other')
    expect(() => findHosts(['openclaw', 'openclaw:memory'])).toThrow('two ways')
  })
})

describe('variables that move a host', () => {
  it.each([
    ['claude-code', { CLAUDE_CONFIG_DIR: 'DIR' }, ['DIR/settings.json', 'DIR/.claude.json']],
    ['openclaw', { OPENCLAW_STATE_DIR: 'DIR' }, ['DIR/openclaw.json']],
    ['openclaw', { OPENCLAW_CONFIG_PATH: 'DIR/a.json', OPENCLAW_STATE_DIR: '/x' }, ['DIR/a.json']],
    ['openclaw', { OPENCLAW_HOME: 'DIR', OPENCLAW_PROFILE: 'work' }, ['DIR/.openclaw-work/openclaw.json']],
    ['codex', { CODEX_HOME: 'DIR' }, ['DIR/config.toml']],
    ['gemini', { GEMINI_CLI_HOME: 'DIR' }, ['DIR/.gemini/settings.json']],
    ['opencode', { XDG_CONFIG_HOME: 'DIR' }, ['DIR/opencode/opencode.json']],
    ['opencode', { OPENCODE_CONFIG: 'DIR/x.jsonc' }, ['DIR/x.jsonc']],
    ['vscode', { XDG_CONFIG_HOME: 'DIR' }, ['DIR/Code/User/mcp.json']],
    ['vscode', { VSCODE_PORTABLE: 'DIR' }, ['DIR/user-data/User/mcp.json']],
  ])('%s with %j', (id, env, expected) => {
    const folder = join(home, 'moved')
    const moved = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value.replace('DIR', folder)]))
    places = { ...places, env: moved }
    expect(wire(id).map(({ file }) => file)).toEqual(expected.map((path) => path.replace('DIR', folder)))
  })
})

describe('other systems', () => {
  const pathsOn = (platform: NodeJS.Platform, folder: string, env: NodeJS.ProcessEnv = {}) =>
    Object.fromEntries(
      WIRABLE_HOSTS.map(({ id, files }) => [
        id,
        files({ home: folder, cwd: folder, env, platform }, launch).at(-1)?.path,
      ]),
    )

  it('keep what belongs to programs of the desktop elsewhere', () => {
    expect(pathsOn('darwin', '/Users/x')).toMatchObject({
      vscode: '/Users/x/Library/Application Support/Code/User/mcp.json',
      opencode: '/Users/x/.config/opencode/opencode.json',
      codex: '/Users/x/.codex/config.toml',
    })
    expect(pathsOn('win32', 'C:\\Users\\x', { APPDATA: 'D:\\Roaming' })).toMatchObject({
      vscode: 'D:\\Roaming\\Code\\User\\mcp.json',
      'claude-code': 'C:\\Users\\x\\.claude.json',
      cursor: 'C:\\Users\\x\\.cursor\\mcp.json',
    })
  })

  it('take a command in their own quotation marks', () => {
    const spaced = { ...launch, command: 'C:\\Program Files\\node.exe', script: 'C:\\m\\main.js' }
    const [settings] = findHosts(['claude-code'])[0]?.host.files({ ...places, platform: 'win32' }, spaced) ?? []
    const wired = settings?.wire('{}') ?? ''
    expect(JSON.parse(wired).hooks.Stop[0].hooks[0].command).toBe(
      '"C:\\Program Files\\node.exe" "C:\\m\\main.js" hook claude-code',
    )
    expect(settings?.look(wired).programs).toContain('C:\\Program Files\\node.exe')
  })
})

describe('what is special to a host', () => {
  it('Claude Code gets the five events, each with its command quoted for a shell, and keeps hooks of others', () => {
    launch = installedIn(join(home, 'my tools', "it's", 'madeleine'))
    const settings = join(home, '.claude', 'settings.json')
    put(settings, JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command: 'say done' }] }] } }))
    wire('claude-code')
    const { hooks } = JSON.parse(read(settings))
    expect(Object.keys(hooks).sort()).toEqual(['PreCompact', 'SessionEnd', 'SessionStart', 'Stop', 'UserPromptSubmit'])
    expect(hooks.Stop.map((group: { hooks: { command: string }[] }) => group.hooks[0]?.command)).toEqual([
      'say done',
      `${process.execPath} '${launch.script.replaceAll("'", "'\\''")}' hook claude-code`,
    ])
    expect(hooks.SessionStart[0].matcher).toBe('startup|resume|clear|compact')
    const { mcpServers } = JSON.parse(read(join(home, '.claude.json')))
    expect(mcpServers.madeleine).toEqual({ type: 'stdio', command: process.execPath, args: [launch.script, 'mcp'] })
  })

  it('Claude Code with our plugin switched on has both already: a hook would run twice', () => {
    put(join(home, '.claude', 'settings.json'), '{"enabledPlugins":{"madeleine@madeleine":true}}')
    expect(wire('claude-code').map(({ action }) => action)).toEqual(['unchanged', 'unchanged'])
    expect(existsSync(join(home, '.claude.json'))).toBe(false)
  })

  it('Claude Code with hooks and plugin at once, or with hooks switched off, is a finding', () => {
    const settings = join(home, '.claude', 'settings.json')
    wire('claude-code')
    const more = { enabledPlugins: { 'madeleine@madeleine': true }, disableAllHooks: true }
    put(settings, JSON.stringify({ ...JSON.parse(read(settings)), ...more }))
    const found = checkHosts(places, launch)
    expect(found.map(({ id }) => id)).toEqual(['claude-code-twice', 'claude-code-hooks-off'])
    unwire('claude-code')
    expect(JSON.parse(read(settings))).toEqual(more)
    expect(checkHosts(places, launch)).toEqual([])
  })

  it('a hook of ours in a group with others leaves them there', () => {
    const settings = join(home, '.claude', 'settings.json')
    wire('claude-code')
    const wired = JSON.parse(read(settings))
    wired.hooks.Stop[0].hooks.unshift({ type: 'command', command: 'say done' })
    put(settings, JSON.stringify(wired, null, 2))
    unwire('claude-code')
    const left = [{ hooks: [{ type: 'command', command: 'say done' }] }]
    expect(JSON.parse(read(settings))).toEqual({ hooks: { Stop: left } })
  })

  it('OpenClaw loads the companion with consent, in allow lists too, and without where the host does not know it', () => {
    const file = join(home, '.openclaw', 'openclaw.json')
    put(file, "{ meta: { lastTouchedVersion: '2026.9.6' }, plugins: { allow: ['foo'] } }")
    launch = { ...launch, pluginConfig: { store: '/s.sqlite' } }
    wire('openclaw')
    expect(read(file)).toContain(
      '"madeleine":{"enabled":true,"hooks":{"allowConversationAccess":true},"config":{"store":"/s.sqlite"}}',
    )
    expect(read(file)).toContain(`allow: ['foo', "madeleine"]`)
    expect(read(file)).toContain(join(launch.packageFolder, 'plugins', 'openclaw'))
    put(file, "{ meta: { lastTouchedVersion: '2026.4.2' } }")
    wire('openclaw')
    expect(read(file)).not.toContain('allowConversationAccess')
    expect(checkHosts(places, launch)).toEqual([])
  })

  it('OpenClaw as the memory takes the slot and gives it back', () => {
    const file = join(home, '.openclaw', 'openclaw.json')
    const before =
      '{\n  "plugins": {\n    "slots": { "memory": "memory-lancedb" },\n    "entries": { "memory-core": { "enabled": true } }\n  }\n}\n'
    const kept = { entries: { 'memory-core': { enabled: true } } }
    put(file, before)
    wire('openclaw')
    expect(wire('openclaw:memory')[0]?.action).toBe('wired')
    const { plugins } = JSON.parse(read(file))
    expect(plugins.slots.memory).toBe('madeleine-memory')
    expect(Object.keys(plugins.entries)).toEqual(['memory-core', 'madeleine-memory'])
    expect(plugins.load.paths).toEqual([join(launch.packageFolder, 'plugins', 'openclaw-memory')])
    expect(checkHosts(places, launch)).toEqual([])
    expect(wire('openclaw')[0]?.action).toBe('unchanged')
    wire('openclaw:companion')
    expect(JSON.parse(read(file)).plugins).toMatchObject({ slots: { memory: 'memory-lancedb' }, ...kept })
    expect(checkHosts(places, launch)).toEqual([])
    unwire('openclaw')
    expect(read(file)).toBe(before)
    wire('openclaw:memory')
    put(file, read(file).replace('{', '{ "later": 1,'))
    unwire('openclaw')
    expect(JSON.parse(read(file))).toEqual({ later: 1, ...JSON.parse(before) })
  })

  it('OpenClaw is not wired against a deny list, and doctor tells what its file forbids', () => {
    const file = join(home, '.openclaw', 'openclaw.json')
    put(file, '{"plugins":{"deny":["madeleine"]}}')
    expect(() => wire('openclaw')).toThrow('plugins.deny')
    const troubled = {
      plugins: {
        enabled: false,
        allow: ['foo'],
        deny: ['madeleine-memory'],
        load: { paths: [join(launch.packageFolder, 'plugins', 'openclaw-memory')] },
        entries: { 'madeleine-memory': { hooks: { allowPromptInjection: false } } },
      },
      tools: { deny: ['memory_get'] },
    }
    put(file, JSON.stringify(troubled))
    expect(checkHosts(places, launch).map(({ id }) => id)).toEqual(
      ['consent', 'injection', 'slot', 'off', 'disabled', 'deny', 'allow', 'tool-denied', 'tool-conflict'].map(
        (name) => `openclaw-${name}`,
      ),
    )
  })

  it('a server of our name that is another one is not taken', () => {
    put(join(home, '.cursor', 'mcp.json'), '{"mcpServers":{"madeleine":{"command":"bakery"}}}')
    expect(() => wire('cursor')).toThrow('starts something else')
    expect(unwire('cursor')[0]?.action).toBe('unchanged')
    put(join(home, '.codex', 'config.toml'), '[mcp_servers.madeleine]\ncommand = "bakery"\n')
    expect(() => wire('codex')).toThrow('starts something else')
  })

  it('a server that its user has named otherwise is enough, and stays', () => {
    const file = join(home, '.cursor', 'mcp.json')
    put(file, '{"mcpServers":{"memory":{"command":"madeleine","args":["mcp","--agent","main"]}}}')
    expect(wire('cursor')[0]?.action).toBe('unchanged')
    expect(unwire('cursor')[0]?.action).toBe('unchanged')
    put(file, '{"mcpServers":{"memory":{"command":"other","args":["mcp"]}}}')
    expect(wire('cursor')[0]?.action).toBe('wired')
  })

  it('flags and members that the user has added to our server stay', () => {
    const file = join(home, '.cursor', 'mcp.json')
    const args = [launch.script, 'mcp', '--agent', 'main']
    put(file, JSON.stringify({ mcpServers: { madeleine: { command: process.execPath, args, env: { A: 'b' } } } }))
    expect(wire('cursor')[0]?.action).toBe('unchanged')
    const toml = `[mcp_servers.madeleine]\ncommand = "${process.execPath}"\nargs = ${JSON.stringify(args)}\nenv = { A = "b" }\n`
    put(join(home, '.codex', 'config.toml'), toml)
    expect(wire('codex')[0]?.action).toBe('unchanged')
  })

  it('Codex with servers in a form that no table can be added to gets the lines to put in', () => {
    put(join(home, '.codex', 'config.toml'), '\nmcp_servers = { other = { command = "x" } }\n')
    expect(() => wire('codex')).toThrow(/config\.toml:2: /)
    try {
      wire('codex')
    } catch (error) {
      expect(error).toMatchObject({ remedy: expect.stringContaining('[mcp_servers.madeleine]\ncommand = ') })
    }
  })

  it('OpenCode 2 gets its server among the others', () => {
    const file = join(home, '.config', 'opencode', 'opencode.jsonc')
    put(file, '{ "mcp": { "servers": { "x": { "type": "local", "command": ["x"] } } } }')
    wire('opencode')
    expect(JSON.parse(read(file)).mcp.servers.madeleine).toEqual({
      type: 'local',
      command: [process.execPath, launch.script, 'mcp'],
    })
  })

  it('Devin Desktop and Windsurf are both wired where both have a folder', () => {
    for (const folder of ['.codeium/windsurf', '.config/devin']) mkdirSync(join(home, folder), { recursive: true })
    expect(wire('windsurf').map(({ file }) => file)).toEqual([
      join(home, '.codeium', 'windsurf', 'mcp_config.json'),
      join(home, '.config', 'devin', 'mcp_config.json'),
    ])
  })
})

describe('carrying out', () => {
  it('does not overwrite what another program has written since', () => {
    const file = join(home, '.cursor', 'mcp.json')
    put(file, '{}')
    const plans = planWiring(findHosts(['cursor']), { places, launch, isNamed: true })
    put(file, '{"mcpServers":{}}')
    expect(() => carryOut(plans)).toThrow('another program has changed it')
    expect(read(file)).toBe('{"mcpServers":{}}')
  })
})
