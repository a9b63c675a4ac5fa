import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findClaudeMemoryDirs } from './claude-memory-dirs.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'madeleine-claude-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

describe('findClaudeMemoryDirs', () => {
  it('finds the notes of every project, and of one project when that is the root', async () => {
    mkdirSync(path.join(root, '-work-weir', 'memory'), { recursive: true })
    mkdirSync(path.join(root, '-work-gate', 'subagents'), { recursive: true })
    writeFileSync(path.join(root, '-work-gate', 'memory'), 'a file')
    expect(await findClaudeMemoryDirs(root)).toEqual([path.join(root, '-work-weir', 'memory')])
    expect(await findClaudeMemoryDirs(path.join(root, '-work-weir'))).toEqual([path.join(root, '-work-weir', 'memory')])
  })

  it('finds nothing where there is nothing', async () => {
    expect(await findClaudeMemoryDirs(path.join(root, 'missing'))).toEqual([])
  })
})
