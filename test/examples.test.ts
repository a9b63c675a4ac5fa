import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const FOLDER = join(ROOT, 'examples', 'relationships')
const home = realpathSync(mkdtempSync(join(tmpdir(), 'madeleine-examples-')))

/** Runs an example as a reader would, over a store of its own; gives what it printed. */
function runExample(name: string): string {
  const env = {
    ...{ PATH: process.env.PATH ?? '', HOME: home, XDG_CONFIG_HOME: home, MADELEINE_TIME_ZONE: 'UTC' },
    MADELEINE_STORE: join(home, 'store.sqlite'),
  }
  const args = ['--import', import.meta.resolve('tsx'), join(FOLDER, name)]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, env, encoding: 'utf8' })
  expect(stderr).toBe('')
  expect(status).toBe(0)
  return stdout
}

beforeAll(() => {
  runExample('fill-store.ts')
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

describe('the examples of relationships', () => {
  it.each([
    ['find-related.ts', /bear on it:\n {2}0\.\d\d \w+ procedure-pgvector-setup \(procedural\): \S/],
    ['state-relationship.ts', /^episode-typescript references semantic-typescript \(0\.85\)$/m],
    ['discover-links.ts', /[1-9] links would be found:\n {2}\w+ \S+pgvector\S* \(0\.\d\d\)/],
    ['build-graph.ts', /^\d+ memories, \d+ relationships; alone: .*procedure-backup/],
    ['retrieve-with-related.ts', /pgvector[\s\S]*\d found, \d+ related to them, \d+ in all/],
  ])('%s does what it says, and ends by itself', (name, printed) => {
    expect(runExample(name)).toMatch(printed)
  })

  it('are all run here', () => {
    expect(readdirSync(FOLDER)).toHaveLength(6)
  })
})
