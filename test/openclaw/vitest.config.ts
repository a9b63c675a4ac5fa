import { defineConfig } from 'vitest/config'

/** The tests that need real hosts: some hundred MB to install, minutes to run. */
export default defineConfig({
  test: {
    include: ['test/openclaw/**/*.e2e.ts'],
    pool: 'forks',
    execArgv: ['--import', 'tsx'],
    fileParallelism: false,
    testTimeout: 45 * 60_000,
    hookTimeout: 20 * 60_000,
  },
})
