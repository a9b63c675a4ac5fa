import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeFolder } from './make-folder.ts'

describe('makeFolder', () => {
  let root: string
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'make-folder-'))
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  it('makes what is missing above the folder, for its owner alone', () => {
    makeFolder(join(root, 'a/b/c'))
    expect(statSync(join(root, 'a/b/c')).isDirectory()).toBe(true)
    if (process.platform !== 'win32') expect(statSync(join(root, 'a')).mode & 0o777).toBe(0o700)
  })

  it('leaves a folder that is there as it is', () => {
    mkdirSync(join(root, 'a'), { mode: 0o755 })
    const { mode } = statSync(join(root, 'a'))
    makeFolder(join(root, 'a'))
    expect(statSync(join(root, 'a')).mode).toBe(mode)
  })

  it('fails where a file is in the way', () => {
    writeFileSync(join(root, 'file'), '')
    expect(() => makeFolder(join(root, 'file'))).toThrow(/EEXIST/)
    expect(() => makeFolder(join(root, 'file/below'))).toThrow(/ENOTDIR|EEXIST|ENOENT/)
  })

  it.runIf(existsSync('/proc/self'))('fails, and returns, where the system refuses what it denies to exist', () => {
    expect(() => makeFolder('/proc/madeleine/store/deep')).toThrow(/ENOENT/)
  })
})
