import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findProject } from './project-root.ts'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'madeleine-project-')))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('findProject', () => {
  it('is the Git root above a folder, by its real path', () => {
    mkdirSync(path.join(folder, 'repo', '.git'), { recursive: true })
    mkdirSync(path.join(folder, 'repo', 'docs', 'notes'), { recursive: true })
    symlinkSync(path.join(folder, 'repo', 'docs'), path.join(folder, 'link'))
    expect(findProject(path.join(folder, 'repo', 'docs', 'notes'))).toBe(path.join(folder, 'repo'))
    expect(findProject(path.join(folder, 'link'))).toBe(path.join(folder, 'repo'))
  })

  it('is the folder itself where there is no Git root', () => {
    expect(findProject(folder)).toBe(folder)
  })

  it('leaves a folder that is not here as it is written', () => {
    expect(findProject('/not/here/at/all')).toBe('/not/here/at/all')
    expect(findProject('C:\\work\\weir')).toBe('C:\\work\\weir')
  })
})
