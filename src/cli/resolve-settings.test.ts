import { describe, expect, it } from 'vitest'
import { MadeleineError } from '../index.ts'
import { resolveSettings, type SettingLayers } from './resolve-settings.ts'
import { SETTING_NAMES, SETTINGS } from './settings.ts'

const FILE = '/home/vera/.config/madeleine/config.yaml'

function layers(given: {
  flags?: SettingLayers['flags']
  env?: NodeJS.ProcessEnv
  file?: Record<string, unknown>
}): SettingLayers {
  return {
    flags: given.flags ?? {},
    env: given.env ?? {},
    file: given.file && { path: FILE, values: given.file },
    home: '/home/vera',
    cwd: '/here',
    configFolder: '/home/vera/.config/madeleine',
    platform: 'linux',
    systemZone: 'Europe/Zurich',
  }
}

const resolve = (given: Parameters<typeof layers>[0]) => resolveSettings(layers(given))

/** The refusal as a person reads it. */
function refusal(given: Parameters<typeof layers>[0]): string {
  try {
    resolve(given)
  } catch (error) {
    if (error instanceof MadeleineError && error.code === 'INVALID_OPTION') return `${error.message}. ${error.remedy}`
    throw error
  }
  throw new Error('was accepted')
}

describe('resolveSettings', () => {
  it('has defaults for everything', () => {
    const { values, origins } = resolve({})
    expect(values).toEqual({
      workspaces: [],
      extraPaths: [],
      transcripts: [],
      store: '/home/vera/.local/share/madeleine/store.sqlite',
      embedding: 'bundled',
      embeddingBaseUrl: undefined,
      cacheDir: undefined,
      tenant: 'local',
      agent: undefined,
      team: [],
      project: undefined,
      timeZone: 'Europe/Zurich',
      newestTranscripts: undefined,
      archives: ['reset'],
      noNative: false,
      warm: true,
      'recall.threshold': undefined,
      'recall.tokenBudget': undefined,
      'recall.deadlineMs': undefined,
      'correlation.enabled': undefined,
      'correlation.minScore': undefined,
      'correlation.maxLinks': undefined,
      'correlation.autoDiscover': undefined,
      'correlation.consensus': undefined,
      'heartbeat.autonomy': undefined,
      'heartbeat.quietHours': undefined,
      'heartbeat.everyMinutes': undefined,
      languageModel: undefined,
      languageModelBaseUrl: undefined,
    })
    expect(new Set(Object.values(origins).map(({ layer }) => layer))).toEqual(new Set(['default']))
  })

  it('lets flags win over the environment, the environment over the file, each setting by itself', () => {
    const { values, origins } = resolve({
      flags: { tenant: 'flag' },
      env: { MADELEINE_TENANT: 'env', MADELEINE_AGENT: 'env' },
      file: { tenant: 'file', agent: 'file', embedding: 'none' },
    })
    expect([values.tenant, values.agent, values.embedding]).toEqual(['flag', 'env', 'none'])
    expect([origins.tenant, origins.agent, origins.embedding, origins.store]).toEqual([
      { layer: 'flag', name: '--tenant' },
      { layer: 'environment', name: 'MADELEINE_AGENT' },
      { layer: 'file', name: FILE },
      { layer: 'default', name: 'default' },
    ])
  })

  it('reads every setting from its variable', () => {
    const samples: Record<string, string> = {
      workspaces: '/a:/b',
      extraPaths: '~/v/**/*.md',
      transcripts: '/t',
      store: '/s.sqlite',
      readStore: 'postgres://vera@standby.example.org/memories',
      embedding: 'ollama:nomic-embed-text',
      embeddingBaseUrl: 'http://127.0.0.1:11434',
      cacheDir: '/c',
      tenant: 'x',
      agent: 'x',
      team: 'a, b',
      project: '/p',
      timeZone: 'UTC',
      newestTranscripts: '200',
      archives: 'deleted, reset',
      noNative: 'yes',
      warm: 'off',
      'recall.threshold': '.4',
      'recall.tokenBudget': '500',
      'recall.deadlineMs': '300',
      'correlation.enabled': 'false',
      'correlation.minScore': '.7',
      'correlation.maxLinks': '20',
      'correlation.autoDiscover': '0',
      'correlation.consensus': '2',
      'heartbeat.autonomy': 'observe',
      'heartbeat.quietHours': '22:30-07:30',
      'heartbeat.everyMinutes': '240',
      languageModel: 'ollama:qwen3:8b',
      languageModelBaseUrl: 'http://127.0.0.1:11434',
    }
    for (const name of SETTING_NAMES) {
      const { origins } = resolve({ env: { [SETTINGS[name].variable]: samples[name] } })
      expect(origins[name], name).toEqual({ layer: 'environment', name: SETTINGS[name].variable })
    }
    const env = { MADELEINE_WORKSPACES: '/a:/b', MADELEINE_TEAM: 'a, b', MADELEINE_NEWEST_TRANSCRIPTS: '200' }
    const { values } = resolve({ env })
    expect([values.workspaces, values.team, values.newestTranscripts]).toEqual([['/a', '/b'], ['a', 'b'], 200])
  })

  it('reads paths of the file from its folder, those of flags and variables from here, and ~ from home', () => {
    const file = { workspaces: ['~/vault', './rel', '/abs'] }
    expect(resolve({ file }).values.workspaces).toEqual([
      '/home/vera/vault',
      '/home/vera/.config/madeleine/rel',
      '/abs',
    ])
    expect(resolve({ flags: { workspaces: ['rel', '~/v', './rel'] }, file }).values.workspaces).toEqual([
      '/here/rel',
      '/home/vera/v',
    ])
    expect(resolve({ env: { MADELEINE_STORE: 'x.sqlite' } }).values.store).toBe('/here/x.sqlite')
  })

  it('reads patterns of notes like paths, and kinds of archives by name', () => {
    const file = { extraPaths: ['~/vault', './notes/**/*.md'], archives: ['backup', 'reset'] }
    const { values } = resolve({ file })
    expect(values.extraPaths).toEqual(['/home/vera/vault', '/home/vera/.config/madeleine/notes/**/*.md'])
    expect(values.archives).toEqual(['reset', 'backup'])
    expect(resolve({ file: { archives: [] } }).values.archives).toEqual([])
    expect(() => resolve({ file: { archives: ['bak'] } })).toThrow(/archives/)
  })

  it.each([
    ['true', true],
    ['1', true],
    ['YES', true],
    ['on', true],
    ['false', false],
    ['0', false],
    ['no', false],
    ['off', false],
  ])('reads the switch %s as %s', (word, expected) => {
    expect(resolve({ env: { MADELEINE_NO_NATIVE: word } }).values.noNative).toBe(expected)
  })

  it('reads the variables of the correlator that have no prefix of ours', () => {
    const env = {
      CORRELATOR_ENABLED: 'false',
      AUTO_DISCOVER_ENABLED: '0',
      MIN_CORRELATION_SCORE: '0.9',
      MAX_LINKS_PER_MEMORY: '20',
      EMBEDDING_MODEL: 'all-MiniLM-L6-v2',
    }
    const { values, origins } = resolve({ env, file: { correlation: { enabled: true, minScore: 0.5 } } })
    expect(values).toMatchObject({
      'correlation.enabled': false,
      'correlation.autoDiscover': false,
      'correlation.minScore': 0.9,
      'correlation.maxLinks': 20,
      embedding: 'bundled',
    })
    expect(origins['correlation.minScore']).toEqual({ layer: 'environment', name: 'MIN_CORRELATION_SCORE' })
  })

  it('lets its own variable go before one without prefix, which then is not even read', () => {
    const env = { EMBEDDING_MODEL: 'text-embedding-of-others', MADELEINE_EMBEDDING: 'none', MIN_CORRELATION_SCORE: '' }
    const { values, origins } = resolve({ env, file: { correlation: { minScore: 0.5 } } })
    expect([values.embedding, values['correlation.minScore']]).toEqual(['none', 0.5])
    expect(origins.embedding.name).toBe('MADELEINE_EMBEDDING')
    expect(resolve({ env: { EMBEDDING_MODEL: 'ollama:x' }, flags: { embedding: 'none' } }).values.embedding).toBe(
      'none',
    )
  })

  it('takes an empty variable for none', () => {
    expect(resolve({ env: { MADELEINE_TENANT: '' } }).origins.tenant.layer).toBe('default')
  })

  it('reads a group of settings, each by itself', () => {
    const { values, origins } = resolve({
      file: { recall: { threshold: 0.4, tokenBudget: 500 } },
      env: { MADELEINE_RECALL_TOKEN_BUDGET: '700' },
    })
    expect([values['recall.threshold'], values['recall.tokenBudget']]).toEqual([0.4, 700])
    expect(origins['recall.tokenBudget'].layer).toBe('environment')
  })

  it('takes one folder for a list of one', () => {
    expect(resolve({ file: { workspaces: '/a' } }).values.workspaces).toEqual(['/a'])
  })
})

describe('what resolveSettings refuses', () => {
  it('an unknown key, with the nearest name', () => {
    expect(refusal({ file: { workspace: ['/a'] } })).toBe(
      'Cannot use the key "workspace" in ~/.config/madeleine/config.yaml: no such setting. Did you mean workspaces?',
    )
    expect(refusal({ file: { wieghts: 7 } })).toMatch(/"wieghts".*Allowed: workspaces, /)
  })

  it('an unknown key of a group, and a group that is none', () => {
    expect(refusal({ file: { recall: { treshold: 0.4 } } })).toMatch(/"recall.treshold".*Did you mean recall.threshold/)
    expect(refusal({ file: { recall: 0.4 } })).toMatch(/"recall".*no such setting/)
  })

  it('a key of a service in the file, without repeating it', () => {
    const text = refusal({ file: { openaiApiKey: 'sk-live-abc' } })
    expect(text).toMatch(/come from the environment: MADELEINE_EMBEDDING_KEY/)
    expect(text).not.toContain('sk-live')
  })

  it('an unknown variable of ours, with the nearest name', () => {
    expect(refusal({ env: { MADELEINE_EMBEDING: 'none' } })).toBe(
      'Cannot use the environment variable MADELEINE_EMBEDING: no such setting. Did you mean MADELEINE_EMBEDDING?',
    )
    expect(resolve({ env: { MADELEINEX: '1', OTHER: '2' } }).values.tenant).toBe('local')
  })

  it.each([
    [{ env: { MADELEINE_NO_NATIVE: 'maybe' } }, '"maybe" for MADELEINE_NO_NATIVE', 'Allowed: true or false'],
    [{ env: { MADELEINE_NEWEST_TRANSCRIPTS: 'abc' } }, '"abc"', 'a whole number from 1'],
    [{ file: { newestTranscripts: 0 } }, '0 for newestTranscripts in ~/.config', 'a whole number from 1'],
    [{ file: { newestTranscripts: 1.5 } }, '1.5', 'a whole number from 1'],
    [{ env: { MAX_LINKS_PER_MEMORY: 'abc' } }, '"abc" for MAX_LINKS_PER_MEMORY', 'a whole number from 1 to 10000'],
    [{ env: { MAX_LINKS_PER_MEMORY: '10001' } }, '"10001" for MAX_LINKS_PER_MEMORY', 'from 1 to 10000'],
    [{ env: { MIN_CORRELATION_SCORE: '1.7' } }, '"1.7" for MIN_CORRELATION_SCORE', 'a number from 0 to 1'],
    [{ env: { CORRELATOR_ENABLED: 'maybe' } }, '"maybe" for CORRELATOR_ENABLED', 'true or false'],
    [{ env: { AUTO_DISCOVER_ENABLED: '2' } }, '"2" for AUTO_DISCOVER_ENABLED', 'true or false'],
    [{ env: { EMBEDDING_MODEL: 'gpt' } }, '"gpt" for EMBEDDING_MODEL', 'set MADELEINE_EMBEDDING: it goes before'],
    [{ file: { correlation: { consensus: 0 } } }, '0 for correlation.consensus in ~/.config', 'from 1 to 100'],
    [{ file: { heartbeat: { quietHours: '23:00' } } }, '"23:00" for heartbeat.quietHours', '23:00-07:00, or none'],
    [{ file: { heartbeat: { quietHours: '07:00-07:00' } } }, '"07:00-07:00"', 'two local times'],
    [{ file: { heartbeat: { quietHours: '24:00-07:00' } } }, '"24:00-07:00"', 'two local times'],
    [{ env: { MADELEINE_HEARTBEAT_EVERY_MINUTES: '0' } }, '"0"', 'from 1 to 10080'],
    [{ file: { heartbeat: { autonomy: 'sugest' } } }, '"sugest"', 'Did you mean suggest?'],
    [{ file: { languageModel: 'gpt' } }, '"gpt" for languageModel', 'anthropic:MODEL'],
    [{ file: { recall: { threshold: 7 } } }, '7 for recall.threshold', 'a number from 0 to 1'],
    [{ file: { recall: { deadlineMs: 'soon' } } }, '"soon"', 'milliseconds'],
    [{ file: { tenant: 7 } }, '7 for tenant', 'a name'],
    [{ file: { tenant: '' } }, '"" for tenant', 'a name'],
    [{ file: { workspaces: ['/a', null] } }, '["/a",null]', 'a list of folders'],
    [{ file: { workspaces: { a: 1 } } }, 'workspaces', 'a list of folders'],
    [{ file: { noNative: [] } }, 'noNative', 'true or false'],
    [{ flags: { workspaces: [''] } }, 'for --workspace: it is empty', 'a list of folders'],
    [{ flags: { embedding: 'bundeld' } }, '"bundeld" for --embedding', 'Did you mean bundled?'],
    [{ flags: { embedding: 'ollama:' } }, '"ollama:"', 'ollama:MODEL'],
    [{ flags: { timeZone: 'Mars/Olympus' } }, 'no such time zone', 'Europe/Zurich'],
    [{ flags: { store: 'mysql://h/db' } }, 'a file or in PostgreSQL', 'postgres://user@host/database'],
    [{ flags: { readStore: '/a/file.sqlite' } }, '"/a/file.sqlite" for --read-store', 'of a hot standby of the store'],
    [{ flags: { store: 'postgres://vera:he#ron@h:x/db' } }, '"postgres://vera:***@h:x/db" for --store', 'a file'],
    [{ file: { embeddingBaseUrl: 'file:///etc' } }, '"file:///etc"', 'an http or https URL'],
  ])('a bad value: %j', (given, named, allowed) => {
    const text = refusal(given)
    expect(text).toContain(named)
    expect(text).toContain(allowed)
  })
})
