import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { dropDatabases } from './run-as.ts'
import { removeServer } from './server.ts'

/** Gives a run of tests a folder for its PostgreSQL server, which starts when the first test asks for it, and stops with the run. */
export default function setUp(project: TestProject): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'postgres-run-'))
  // The server may run as another user than this process.
  chmodSync(folder, 0o711)
  project.provide('postgresRun', { folder, ownerPid: process.pid })
  return async () => {
    const named = process.env.MADELEINE_TEST_POSTGRES
    if (named) await dropDatabases(named, process.pid)
    removeServer(join(folder, 'server'))
    rmSync(folder, { recursive: true, force: true })
  }
}
