import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { runCrashes } from './run-crashes.ts'

const HELP = `npx tsx test/crash/kill-many.ts [OPTIONS]

Kills processes that index, remember, forget, embed, search and recall with SIGKILL at random moments. Each is followed by one that
checks that nothing acknowledged is lost, nothing forgotten is back, doctor finds nothing, searching works and an index run completes.
Exits with 1 when something is not so, and keeps the store then.

  --kills N   default 500
  --store URL a PostgreSQL database in place of files: each store gets a new schema there
  --seed N    default 1; the order of moments and steps, though not how far a process comes until then
  --help`

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '500' },
    seed: { type: 'string', default: '1' },
    store: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) console.log(HELP)
else {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  spawnSync(process.execPath, [join(root, 'scripts', 'build.mjs'), '--if-stale'], { stdio: 'inherit' })
  const startedAt = performance.now()
  const { store } = values
  let stores = 0
  const locate = async (): Promise<string> => `${store}?schema=crash_${values.seed}_${stores++}`
  const report = await runCrashes({
    kills: Number(values.kills),
    seed: Number(values.seed),
    ...(store !== undefined && { locate }),
    onKill: (done) => {
      if (done % 50 === 0) console.error(`${done} kills`)
    },
  })
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  console.log(JSON.stringify({ seed: Number(values.seed), ...report, seconds }, null, 2))
  if (report.wrong.length > 0) process.exitCode = 1
}
