import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { makeWrite, OWNER } from '../../../testing/memory-store/samples.ts'
import { openSqliteStore } from '../open-sqlite-store.ts'

// Starting processes takes its time on a busy machine.
vi.setConfig({ testTimeout: 180_000 })

const MEMORIES = 60
const names = Array.from({ length: MEMORIES }, (_, n) => `heron ${n}`)

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'crash-'))
  file = join(folder, 'store.db')
})

afterEach(() => rmSync(folder, { recursive: true }))

/** Relates, links, reviews and edits until it is killed; a line for what was acknowledged. */
const CHILD = `
  import { openSqliteStore } from ${JSON.stringify(new URL('../open-sqlite-store.ts', import.meta.url).href)}
  import { makeWrite, OWNER } from ${JSON.stringify(new URL('../../../testing/memory-store/samples.ts', import.meta.url).href)}
  const [file, start] = process.argv.slice(-2)
  const store = await openSqliteStore({ file })
  const now = new Date(0)
  const id = (n) => 'heron ' + (n % ${MEMORIES})
  for (let n = Number(start); ; n++) {
    const write = { sourceId: id(n), targetId: id(n * 7 + 1), relationshipType: 'supports', score: 1, origin: 'explicit' }
    if (write.sourceId !== write.targetId) {
      await store.relationships.put([write], { now })
      process.stdout.write(JSON.stringify([write.sourceId, write.targetId]) + '\\n')
    }
    await store.relationships.noteAwaiting([id(n), id(n + 1)])
    const waiting = await store.relationships.listAwaiting(2)
    const found = waiting.flatMap((one) => Array.from({ length: 20 }, (_, k) => ({
      sourceId: one.id, targetId: id(n + k), relationshipType: 'references', score: 0.5, origin: 'discovered',
    })))
    await store.relationships.replaceDiscovered(waiting, found.filter((one) => one.sourceId !== one.targetId), now)
    await store.relationships.openReviews([{ firstId: id(n), secondId: id(n + 3) }], now)
    await store.putDocuments([makeWrite('b.md', ['otter ' + n, 'newt'])])
  }`

/** Runs the child until it has acknowledged so much and dies. Gives what it acknowledged. */
async function runUntilKilled(start: number, lines: number): Promise<Array<[string, string]>> {
  const args = ['--import', 'tsx', '--input-type=module', '--eval', CHILD, '--', file, String(start)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const acknowledged: Array<[string, string]> = []
  for await (const line of createInterface(child.stdout)) {
    acknowledged.push(JSON.parse(line) as [string, string])
    if (acknowledged.length === lines) child.kill('SIGKILL')
  }
  const [, signal] = await ended
  expect(signal).toBe('SIGKILL')
  return acknowledged
}

describe('a process that is killed while it relates and links', () => {
  it('loses nothing that was acknowledged and leaves nothing by halves', async () => {
    const first = await openSqliteStore({ file })
    await first.putDocuments([makeWrite('a.md', names)])
    await first.close()
    const acknowledged: Array<[string, string]> = []
    for (const [run, lines] of [9, 17, 4].entries()) {
      acknowledged.push(...(await runUntilKilled(run * 100, lines)))
      const store = await openSqliteStore({ file })
      expect(await store.check()).toEqual([])
      const held = await store.relationships.list(names, { filter: OWNER, origin: 'explicit' })
      const pairs = held.map(({ sourceId, targetId }) => `${sourceId} ${targetId}`)
      expect(pairs).toEqual(expect.arrayContaining(acknowledged.map(([source, target]) => `${source} ${target}`)))
      await store.close()
    }
  })
})
