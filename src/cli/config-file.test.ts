import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { locateConfigFile, parseConfig, readConfigFile } from './config-file.ts'

const places = { home: '/home/vera', cwd: '/here', platform: 'linux' as const }

describe('locateConfigFile', () => {
  it('goes by flag, then variable, then the folder of the user', () => {
    const env = { MADELEINE_CONFIG: '~/m.yaml' }
    expect(locateConfigFile('./f.yaml', { ...places, env })).toEqual({ path: '/here/f.yaml', isNamed: true })
    expect(locateConfigFile(undefined, { ...places, env })).toEqual({ path: '/home/vera/m.yaml', isNamed: true })
    expect(locateConfigFile(undefined, { ...places, env: {} })).toEqual({
      path: '/home/vera/.config/madeleine/config.yaml',
      isNamed: false,
    })
  })

  it('refuses an empty path', () => {
    expect(() => locateConfigFile('', { ...places, env: {} })).toThrow('for --config: it is empty')
  })
})

describe('parseConfig', () => {
  it('reads a mapping, and nothing as no settings', () => {
    expect(parseConfig('workspaces:\n  - ~/a\ntenant: x # mine\n')).toEqual({ workspaces: ['~/a'], tenant: 'x' })
    expect(parseConfig('')).toEqual({})
    expect(parseConfig('# only a comment\n')).toEqual({})
  })

  it('says in which line it cannot be read', () => {
    expect(() => parseConfig('tenant: x\ntenant: y\n')).toThrow(/line 2: .*unique/)
    expect(() => parseConfig('a: [1\nb: 2\n')).toThrow(/line \d/)
    expect(() => parseConfig('- a\n- b\n')).toThrow('name: value')
    expect(() => parseConfig('just words')).toThrow('name: value')
  })
})

describe('readConfigFile', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'madeleine-config-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('does without a file only where it may be missing', () => {
    const path = join(folder, 'none.yaml')
    expect(readConfigFile(path, { home: folder, mayBeMissing: true })).toBeUndefined()
    expect(() => readConfigFile(path, { home: folder, mayBeMissing: false })).toThrow(
      '~/none.yaml: there is no such file',
    )
  })

  it('names the file that it cannot read', () => {
    const path = join(folder, 'config.yaml')
    writeFileSync(path, 'tenant: [')
    expect(() => readConfigFile(path, { home: folder, mayBeMissing: true })).toThrow(
      /Cannot read the configuration ~\/config.yaml: line 1/,
    )
    expect(() => readConfigFile(folder, { home: '/', mayBeMissing: true })).toThrow(/Cannot read the configuration/)
  })
})
