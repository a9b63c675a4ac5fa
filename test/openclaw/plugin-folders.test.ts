import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const PLUGINS = join(import.meta.dirname, '..', '..', 'plugins')

describe('the two plugin folders', () => {
  it('find the engine by the same means, each with a copy of its own: a host copies one folder alone', () => {
    const [beside, instead] = ['openclaw', 'openclaw-memory'].map((name) =>
      readFileSync(join(PLUGINS, name, 'load-adapter.js'), 'utf8'),
    )
    expect(beside).toContain('import')
    expect(instead).toBe(beside)
  })
})
