import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/postgres/global-setup.ts'],
    pool: 'forks',
    // Files share their processes: nothing here mocks modules, and a process a file costs more than most files.
    isolate: false,
    // By default one core is left over, which is half of a small machine.
    maxWorkers: availableParallelism(),
    // Worker threads started by the code under test load TypeScript sources as the tests do.
    execArgv: ['--import', 'tsx'],
    testTimeout: 120_000,
    // Whichever file asks first starts the PostgreSQL server of the run.
    hookTimeout: 300_000,
  },
})
