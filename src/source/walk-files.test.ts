import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { relativeKey } from './walk-files.ts'

describe('relativeKey', () => {
  it('is relative with forward slashes on every platform', () => {
    expect(relativeKey('C:\\ws\\memory\\trips\\2026-01-05.md', 'C:\\ws', path.win32)).toBe('memory/trips/2026-01-05.md')
    expect(relativeKey('C:\\ws\\memory\\a.md', 'C:\\ws\\', path.win32)).toBe('memory/a.md')
    expect(relativeKey('/ws/memory/a\\b.md', '/ws', path.posix)).toBe('memory/a\\b.md')
  })
})
