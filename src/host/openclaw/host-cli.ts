import type { Finding, Madeleine } from '../../index.ts'
import type { CliContext } from './host-types.ts'
import type { SharedEngine } from './shared-engine.ts'

export const CLI_DESCRIPTOR = {
  name: 'madeleine',
  description: 'Look into the memory that Madeleine keeps',
  hasSubcommands: true,
} as const

interface CommandOptions {
  agent?: string
  limit?: string
  json?: boolean
}

/** Adds `openclaw madeleine …`. The engine that a command opens is closed when it ends; `findHostTroubles` adds to what the doctor finds. */
export function addHostCommands(
  { program }: CliContext,
  { createEngine, findHostTroubles }: { createEngine: () => SharedEngine; findHostTroubles: () => Finding[] },
): void {
  const root = program.command(CLI_DESCRIPTOR.name).description(CLI_DESCRIPTOR.description)
  const show = async (work: (engine: Madeleine) => Promise<{ answer: object; lines: string[] }>, isJson?: boolean) => {
    const engine = createEngine()
    try {
      const { answer, lines } = await engine.use(work)
      process.stdout.write(`${isJson ? JSON.stringify(answer, null, 2) : lines.join('\n')}\n`)
    } finally {
      await engine.close()
    }
  }
  root
    .command('status')
    .description('What is indexed, from where, and what is missing')
    .option('--json', 'print JSON')
    .action(({ json }: CommandOptions) => show(showStatus, json))
  root
    .command('search')
    .description('Search notes and past sessions')
    .argument('<query>', 'what to look for')
    .option('--agent <id>', 'as this agent sees it; default: everything')
    .option('--limit <n>', 'how many results, 1 to 100')
    .option('--json', 'print JSON')
    .action((query: string, options: CommandOptions) =>
      show((engine) => showSearch(engine, query, options), options.json),
    )
  root
    .command('doctor')
    .description('What is wrong with the memory, and what helps')
    .option('--json', 'print JSON')
    .action(({ json }: CommandOptions) => show((engine) => showFindings(engine, findHostTroubles()), json))
}

async function showStatus(engine: Madeleine): Promise<{ answer: object; lines: string[] }> {
  const answer = await engine.status()
  const roots = answer.roots.map(({ path, documents, problem }) => `  ${path}: ${problem ?? `${documents} documents`}`)
  const { memories, pending, store, vectors } = answer
  const lines = [`${memories} memories in ${store}`, `${pending} wait for vectors of ${vectors.wanted ?? 'no model'}`]
  return { answer, lines: [...lines, ...roots] }
}

async function showSearch(
  engine: Madeleine,
  query: string,
  { agent, limit }: CommandOptions,
): Promise<{ answer: object; lines: string[] }> {
  const answer = await engine.search(query, {
    ...(agent !== undefined && { agentId: agent }),
    ...(limit !== undefined && { limit: Number(limit) }),
  })
  const lines = answer.results.map(
    ({ path, startLine, score, snippet }) =>
      `${score.toFixed(2)}  ${path}:${startLine}\n      ${snippet.replace(/\s+/g, ' ')}`,
  )
  return { answer, lines: lines.length > 0 ? lines : ['Nothing found.'] }
}

async function showFindings(engine: Madeleine, ofTheHost: Finding[]): Promise<{ answer: object; lines: string[] }> {
  const { findings } = await engine.doctor()
  const answer = { findings: [...ofTheHost, ...findings] }
  if (answer.findings.some(({ severity }) => severity === 'error')) process.exitCode = 3
  const lines = answer.findings.map(({ severity, message, remedy }) => `${severity}: ${message}\n  ${remedy}`)
  return { answer, lines: lines.length > 0 ? lines : ['Nothing is wrong.'] }
}
