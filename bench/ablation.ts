import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { MemoryStore } from '../src/store/memory-store.ts'
import { openSqliteStore } from '../src/store/sqlite/open-sqlite-store.ts'
import { openCachedProvider } from './bundled-cache.ts'
import { type Concealment, conceal, IDEAS } from './conceal.ts'
import type { Contender } from './contender.ts'
import { DEFAULT_DATA, loadSet, SET_NAMES } from './data.ts'
import { engineContenders } from './engine-contender.ts'
import { formatTable } from './report.ts'
import { pickQuestions, runSet } from './run.ts'

const HELP = `npx tsx bench/ablation.ts [OPTIONS]

What does each idea of the ranking bring? The same questions are put to the engine as it comes, and to engines whose store hides from
the ranking what one idea lives on. "default − without X" is what X brings, with the standard error of the paired differences.

  --set NAME          ${SET_NAMES.join(', ')} (default locomo)
  --ideas LIST        some of ${Object.keys(IDEAS).join(', ')} (default all)
  --embedding KIND    bundled (default; fill the cache with bench/embed.ts beforehand) or none
  --limit N           only N questions
  --data DIR          where the data is (default MADELEINE_DATA, else ${DEFAULT_DATA})
  --help`

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      set: { type: 'string', default: 'locomo' },
      ideas: { type: 'string', default: Object.keys(IDEAS).join(',') },
      embedding: { type: 'string', default: 'bundled' },
      limit: { type: 'string' },
      data: { type: 'string', default: process.env.MADELEINE_DATA ?? DEFAULT_DATA },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return console.log(HELP)
  const name = SET_NAMES.find((one) => one === values.set)
  if (!name) throw new Error(`--set is one of ${SET_NAMES.join(', ')}, not ${values.set}`)
  if (values.embedding !== 'bundled' && values.embedding !== 'none')
    throw new Error(`--embedding is bundled or none, not ${values.embedding}`)
  const set = loadSet(name, values.data)
  if ('absent' in set) return console.log(`Skipped: ${set.absent}.`)
  const chosen = pickQuestions(set, values.limit === undefined ? undefined : Number(values.limit))
  const provider = values.embedding === 'none' ? undefined : await openCachedProvider()
  const contenders = [...engineContenders(['default']), ...values.ideas.split(',').map(withoutIdea)]
  try {
    const run = await runSet(chosen, contenders, provider, (done, total) => {
      process.stderr.write(`${name}: ${done} of ${total} histories\n`)
    })
    const systems = contenders.map((contender) => contender.name)
    const isOfNotes = chosen.haystacks.some(({ form }) => form === 'notes')
    console.log(formatTable(run, { systems, subject: 'default', yardsticks: systems.slice(1), isOfNotes }))
  } finally {
    await provider?.close()
  }
}

/** The engine over the store that the first contender has filled, from which what an idea lives on is hidden. */
function withoutIdea(idea: string): Contender {
  const hides: Concealment | undefined = IDEAS[idea]
  if (!hides) throw new Error(`--ideas knows ${Object.keys(IDEAS).join(', ')}, not ${idea}`)
  const openStore = async ({ directory }: { directory: string }): Promise<MemoryStore> =>
    conceal(await openSqliteStore({ file: join(directory, 'store.db'), timeZone: 'UTC' }), hides)
  const [contender] = engineContenders(['default'], openStore)
  if (!contender) throw new Error('There is no engine to ask')
  return { ...contender, name: `without ${idea}` }
}

await main()
