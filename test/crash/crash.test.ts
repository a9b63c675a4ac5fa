import { describe, expect, it, vi } from 'vitest'
import { useBuiltProgram } from '../built-program.ts'
import { describeWithServer } from '../postgres/describe-with-server.ts'
import { useStorePool } from '../postgres/store-pool.ts'
import { runCrashes } from './run-crashes.ts'

// Starting processes takes its time on a busy machine.
vi.setConfig({ testTimeout: 300_000 })

describe('processes that are killed at any moment', () => {
  useBuiltProgram()

  it('lose nothing that was acknowledged, bring nothing back, block nobody, and leave a sound store', async () => {
    const report = await runCrashes({ kills: 8, seed: 7 })
    expect(report.wrong).toEqual([])
    expect(report.kills).toBe(8)
    expect(report.checked).toBeGreaterThanOrEqual(1)
  })
})

describeWithServer('processes that are killed while they use a PostgreSQL store', () => {
  useBuiltProgram()

  it('lose nothing that was acknowledged, bring nothing back, block nobody, and leave a sound store', async () => {
    const places: Array<{ release(): void }> = []
    const locate = async (): Promise<string> => {
      const place = await useStorePool().locate()
      places.push(place)
      return place.location
    }
    const report = await runCrashes({ kills: 6, seed: 7, locate })
    expect(report.wrong).toEqual([])
    expect(report.kills).toBe(6)
    expect(report.checked).toBeGreaterThanOrEqual(1)
    for (const place of places) place.release()
  })
})
