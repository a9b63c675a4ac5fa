import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseConfig } from './config-file.ts'
import { extendConfig, writeConfig } from './write-config.ts'

const same = (written: string, added: string) => written.replace(/\/$/, '') === added

describe('extendConfig', () => {
  it('writes a new configuration that reads back as what was asked for', () => {
    const additions = { workspaces: ['~/notes', '/w: x'], embedding: 'none' }
    const { text, isChanged } = extendConfig(undefined, additions, same)
    expect(isChanged).toBe(true)
    expect(parseConfig(text)).toEqual(additions)
    expect(text).toMatch(/^# Configuration of Madeleine/)
  })

  it('changes nothing when all is there already, however it is written', () => {
    const existing = '# mine\nworkspaces: [~/notes/]   # vault\nembedding: none\n'
    const { text, isChanged } = extendConfig(existing, { workspaces: ['~/notes'], embedding: 'none' }, same)
    expect({ text, isChanged }).toEqual({ text: existing, isChanged: false })
  })

  it('adds what is missing and keeps comments, other settings and the order of what the user wrote', () => {
    const existing = '# mine\nworkspaces:\n  - ~/notes # vault\ntenant: vera\n'
    const { text } = extendConfig(existing, { workspaces: ['~/work'], transcripts: ['/t'] }, same)
    expect(text).toContain('# mine')
    expect(text).toContain('# vault')
    expect(parseConfig(text)).toEqual({ workspaces: ['~/notes', '~/work'], tenant: 'vera', transcripts: ['/t'] })
  })

  it('makes a list of a single folder when another comes to it', () => {
    const { text } = extendConfig('workspaces: ~/notes\n', { workspaces: ['/w'] }, same)
    expect(parseConfig(text)).toEqual({ workspaces: ['~/notes', '/w'] })
  })
})

describe('writeConfig', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'madeleine-config-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('is readable by its owner alone, folder and file', () => {
    const path = join(folder, 'madeleine', 'config.yaml')
    expect(writeConfig(path, 'tenant: a\n')).toEqual({ backup: undefined })
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(statSync(join(folder, 'madeleine')).mode & 0o777).toBe(0o700)
  })

  it('keeps every older file beside the new one', () => {
    const path = join(folder, 'config.yaml')
    writeFileSync(path, 'first')
    expect(writeConfig(path, 'second').backup).toBe(`${path}.bak`)
    expect(writeConfig(path, 'third').backup).toBe(`${path}.bak2`)
    const texts = [path, `${path}.bak`, `${path}.bak2`].map((file) => readFileSync(file, 'utf8'))
    expect(texts).toEqual(['third', 'first', 'second'])
  })
})
