import { describe, expect, it } from 'vitest'
import { defaultConfigFile, defaultStoreFile, pathProblem, resolvePath, shortenPath } from './paths.ts'

const unix = { home: '/home/vera', base: '/work/here', platform: 'linux' } as const
const windows = { home: 'C:\\Users\\vera', base: 'D:\\data', platform: 'win32' } as const

describe('resolvePath', () => {
  it('expands the home folder, and only that', () => {
    expect(resolvePath('~', unix)).toBe('/home/vera')
    expect(resolvePath('~/vault', unix)).toBe('/home/vera/vault')
    expect(resolvePath('~other/vault', unix)).toBe('/work/here/~other/vault')
    expect(resolvePath('notes~/a', unix)).toBe('/work/here/notes~/a')
  })

  it('reads relative paths from the base and leaves absolute ones alone', () => {
    expect(resolvePath('./rel', unix)).toBe('/work/here/rel')
    expect(resolvePath('../up/', unix)).toBe('/work/up')
    expect(resolvePath('/no/such', unix)).toBe('/no/such')
  })

  it('keeps the rules of Windows on Windows', () => {
    expect(resolvePath('~\\vault', windows)).toBe('C:\\Users\\vera\\vault')
    expect(resolvePath('notes/a', windows)).toBe('D:\\data\\notes\\a')
    expect(resolvePath('E:\\x', windows)).toBe('E:\\x')
  })
})

describe('pathProblem', () => {
  it('refuses what would quietly become another folder', () => {
    expect(pathProblem('', 'linux')).toMatch(/empty/)
    expect(pathProblem('  ', 'linux')).toMatch(/empty/)
    expect(pathProblem('a\u0000b', 'linux')).toMatch(/control/)
    expect(pathProblem('a\nb', 'linux')).toMatch(/control/)
  })

  it('refuses an argument whose closing quote was swallowed by a backslash', () => {
    expect(pathProblem('D:\\data" --name x', 'win32')).toMatch(/quotation/)
    expect(pathProblem('D:\\data" --name x', 'linux')).toMatch(/quotation/)
  })

  it('takes every other name', () => {
    for (const name of ['~/vault', './a b', 'D:\\data', 'ein "Zitat"', 'メモ'])
      expect(pathProblem(name, 'linux')).toBeUndefined()
  })
})

describe('shortenPath', () => {
  it('writes the home folder as ~, and no other folder that begins alike', () => {
    expect(shortenPath('/home/vera/notes', '/home/vera')).toBe('~/notes')
    expect(shortenPath('/home/vera', '/home/vera')).toBe('~')
    expect(shortenPath('/home/veranda/notes', '/home/vera')).toBe('/home/veranda/notes')
    expect(shortenPath('C:\\Users\\vera\\x', 'C:\\Users\\vera')).toBe('~\\x')
  })
})

describe('default files', () => {
  const folders = { home: '/home/vera', platform: 'linux' as const }

  it('stand in the folders that XDG names', () => {
    const env = { XDG_CONFIG_HOME: '/x/config', XDG_DATA_HOME: '/x/data' }
    expect(defaultConfigFile({ ...folders, env })).toBe('/x/config/madeleine/config.yaml')
    expect(defaultStoreFile({ ...folders, env })).toBe('/x/data/madeleine/store.sqlite')
  })

  it('stand in the home folder without them, or when they are relative', () => {
    expect(defaultConfigFile({ ...folders, env: {} })).toBe('/home/vera/.config/madeleine/config.yaml')
    expect(defaultStoreFile({ ...folders, env: { XDG_DATA_HOME: 'data' } })).toBe(
      '/home/vera/.local/share/madeleine/store.sqlite',
    )
  })
})
