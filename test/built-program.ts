import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect } from 'vitest'

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..')
/** The start file of the built program: it starts in a fraction of the time that its sources take. */
export const MAIN = join(ROOT, 'dist', 'cli', 'main.js')

const BUILD_MS = 600_000

/** Sees to it that the program which a file's tests start is that of the sources as they are. */
export function useBuiltProgram(): void {
  beforeAll(() => {
    const build = [join(ROOT, 'scripts', 'build.mjs'), '--if-stale']
    expect(spawnSync(process.execPath, build, { stdio: 'inherit' }).status).toBe(0)
  }, BUILD_MS)
}
