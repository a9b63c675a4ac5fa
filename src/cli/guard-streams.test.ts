import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { MAIN, useBuiltProgram } from '../../test/built-program.ts'

useBuiltProgram()
const PATIENCE = 120_000

/** Runs the program in a process of its own, with streams that break: `closed` nobody reads, a number is an open file. */
async function runBroken(args: readonly string[], streams: { stdout?: 'closed' | number; stderr?: 'closed' }) {
  const stdout = typeof streams.stdout === 'number' ? streams.stdout : 'pipe'
  const child = spawn(process.execPath, [MAIN, ...args], {
    stdio: ['ignore', stdout, 'pipe'],
    env: { PATH: process.env.PATH, HOME: '/nonexistent' },
  })
  let told = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    told += chunk.toString('utf8')
  })
  if (streams.stdout === 'closed') child.stdout?.destroy()
  else child.stdout?.resume()
  if (streams.stderr === 'closed') child.stderr?.destroy()
  const [code] = await once(child, 'close')
  return { code, told }
}

describe('broken streams', () => {
  it('a reader that has seen enough is no failure', { timeout: PATIENCE }, async () => {
    expect(await runBroken(['--help'], { stdout: 'closed' })).toEqual({ code: 0, told: '' })
  })

  it('a failure stays one when nobody reads of it', { timeout: PATIENCE }, async () => {
    expect((await runBroken(['serach', 'x'], { stderr: 'closed' })).code).toBe(2)
    expect((await runBroken(['serach', 'x'], { stdout: 'closed' })).code).toBe(2)
  })

  it.runIf(existsSync('/dev/full'))(
    'output that finds no room is a failure in words',
    { timeout: PATIENCE },
    async () => {
      const full = openSync('/dev/full', 'w')
      try {
        const { code, told } = await runBroken(['--help'], { stdout: full })
        expect(code).toBe(1)
        expect(told).toContain('Cannot write the output')
        expect(told).toContain('Free some space')
        expect(told).not.toMatch(/\n\s+at /)
      } finally {
        closeSync(full)
      }
    },
  )
})
