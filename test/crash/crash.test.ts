import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, vi } from 'vitest'
import { runCrashes } from './run-crashes.ts'

// Starting processes takes its time on a busy machine.
vi.setConfig({ testTimeout: 300_000 })

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

describe('processes that are killed at any moment', () => {
  it('lose nothing that was acknowledged, bring nothing back, block nobody, and leave a sound store', async () => {
    expect(spawnSync(process.execPath, [join(ROOT, 'scripts', 'build.mjs'), '--if-stale']).status).toBe(0)
    const report = await runCrashes({ kills: 8, seed: 7 })
    expect(report.wrong).toEqual([])
    expect(report.kills).toBe(8)
    expect(report.checked).toBeGreaterThanOrEqual(1)
  })
})
