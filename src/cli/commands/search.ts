import { existsSync } from 'node:fs'
import type { SearchMode, SearchOptions, SearchProfile, SearchResponse, Tier } from '../../index.ts'
import { TIERS } from '../../index.ts'
import type { SourceCategory } from '../../model/memory.ts'
import { EXIT } from '../exit-codes.ts'
import { type AddCommand, dropUndefined, type Invocation, withEngine } from '../invocation.ts'
import { choiceOption, share, wholeNumber } from '../option-values.ts'
import { noteDegraded } from '../output.ts'
import { shortenPath } from '../paths.ts'
import { refuseOptions } from '../refuse-options.ts'
import { describeHitLinks } from '../show-correlation.ts'
import { describeResult, explainResult } from '../show-result.ts'
import { cleanLine } from '../terminal-text.ts'

interface SearchFlags {
  limit?: number
  mode?: SearchMode
  source?: SourceCategory | 'all'
  tier?: Tier
  minScore?: number
  after?: string
  before?: string
  allProjects?: boolean
  expand?: boolean
  profile?: SearchProfile
  explain?: boolean
}

const MODES: readonly SearchMode[] = ['hybrid', 'keyword', 'vector']
const SOURCES: readonly (SourceCategory | 'all')[] = ['memory', 'sessions', 'all']
const PROFILES: readonly SearchProfile[] = ['default', 'seed']
const MAX_LIMIT = 100

const EXAMPLES = `
Examples:
  $ madeleine search "which pump did we choose"
  $ madeleine search REQ-0417 --mode keyword --explain
  $ madeleine search "the new tariff" --expand
  $ madeleine search "what went wrong last week" --source sessions --json`

/** `madeleine search`: ranked hits for a question or some words. No hits is an answer, not a failure. */
export const addSearchCommand: AddCommand = (program, run) => {
  program
    .command('search')
    .description('find memories by meaning, words, place and time')
    .argument('<query...>', 'a question or some words; quote a phrase to find it as it stands')
    .option('--limit <n>', 'how many results at most, 1 to 100 (default 8)', wholeNumber(1, MAX_LIMIT))
    .addOption(choiceOption('--mode <mode>', 'what to search by', MODES))
    .addOption(choiceOption('--source <source>', 'notes or transcripts', SOURCES))
    .addOption(choiceOption('--tier <tier>', 'one kind of knowledge', TIERS))
    .option('--min-score <x>', 'leave out results below this score, 0 to 1', share)
    .option('--after <date>', 'from this date or instant on')
    .option('--before <date>', 'before this date or instant')
    .option('--all-projects', 'look into every project')
    .option('--expand', 'also bring in what bears on the first results, and say how')
    .addOption(choiceOption('--profile <profile>', 'weights and rules', PROFILES))
    .option('--explain', 'say why each result scores what it scores')
    .addHelpText('after', EXAMPLES)
    .action((words: string[], flags: SearchFlags) => run((invocation) => runSearch(invocation, words.join(' '), flags)))
}

async function runSearch(invocation: Invocation, query: string, flags: SearchFlags): Promise<number> {
  const { output } = invocation
  // The founding rules compare words and vectors, and leave out the vectors only where words alone are asked for.
  if (flags.profile === 'seed' && flags.mode === 'vector') refuseOptions('search by --profile seed', flags, ['mode'])
  // Text output emphasises the words that matched, which the explanation knows.
  const options: SearchOptions = dropUndefined({ ...flags, explain: flags.explain || !output.json || undefined })
  const { response, memories } = await withEngine(invocation, async (engine) => {
    const found = await engine.search(query, options)
    const isAnswered = output.json || found.results.length > 0
    return { response: found, memories: isAnswered ? undefined : (await engine.status()).memories }
  })
  output.document(response)
  noteDegraded(output, response.degraded)
  noteMissingRoots(invocation)
  if (output.json) return EXIT.done
  if (response.results.length === 0) {
    output.print(`Nothing found for ${JSON.stringify(cleanLine(query))}.`)
    if (memories === 0) output.note(describeEmpty(invocation))
  }
  printResults(invocation, response, flags.explain ? query : undefined)
  return EXIT.done
}

function describeEmpty({ settings: { values } }: Invocation): string {
  if (values.agent === undefined) return 'The store is empty: run `madeleine index` first.'
  return `The store holds nothing that agent ${cleanLine(values.agent)} may see: run \`madeleine index\`, or ask without --agent.`
}

/** What was indexed from a folder that is gone now is still found; nothing new will be. */
function noteMissingRoots({ output, settings: { values }, surroundings }: Invocation): void {
  for (const root of [...values.workspaces, ...values.transcripts]) {
    if (existsSync(root)) continue
    output.note(
      `(${cleanLine(shortenPath(root, surroundings.home))} is not there: create it, or correct the configuration)`,
    )
  }
}

/** With a query to explain, each result says why it scores what it scores. */
function printResults(
  invocation: Invocation,
  { results, truncated }: SearchResponse,
  explained: string | undefined,
): void {
  const { output } = invocation
  const ranks = new Map(results.map(({ id }, index) => [id, index + 1]))
  results.forEach((result, index) => {
    if (index > 0) output.print('')
    for (const line of describeResult(result, index + 1, invocation)) output.print(line)
    for (const line of describeHitLinks(result.links ?? [], ranks, output)) output.print(line)
    if (explained === undefined) return
    for (const line of explainResult(result, explained, output)) output.print(line)
  })
  if (truncated) output.note(`\nThe best ${results.length}; --limit shows more.`)
}
