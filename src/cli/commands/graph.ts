import { type CorrelationGraph, type Madeleine, MadeleineError, TIERS, type Tier } from '../../index.ts'
import { EXIT } from '../exit-codes.ts'
import { type AddCommand, dropUndefined, type Invocation, withEngine } from '../invocation.ts'
import { choiceList, share, wholeNumber } from '../option-values.ts'
import { requireCorrelator } from '../require-correlator.ts'
import { describeGraph } from '../show-graph.ts'

interface GraphFlags {
  depth?: number
  tier?: Tier[]
  minScore?: number
  unresolved?: boolean
}

const MAX_DEPTH = 5

const EXAMPLES = `
Examples:
  $ madeleine graph                                    around the best connected memories
  $ madeleine graph memory/runbooks/gauge-swap.md --depth 1
  $ madeleine graph --unresolved                       links in texts that name nothing, or several things`

/** `madeleine graph`: memories and how they bear on each other, from the named ones on. */
export const addGraphCommand: AddCommand = (program, run) => {
  program
    .command('graph')
    .description('how memories bear on each other, from some on or around the best connected')
    .argument('[memories...]', 'ids, paths (all of a document, or path:12-20) or exact titles')
    .option('--depth <n>', `steps from the named memories, 0 to ${MAX_DEPTH} (default 2)`, wholeNumber(0, MAX_DEPTH))
    .addOption(choiceList('--tier <tiers>', 'reach these kinds of knowledge only, between commas', TIERS))
    .option('--min-score <x>', 'leave out relationships that are weaker, 0 to 1', share)
    .option('--unresolved', 'links in texts that name no memory, or more than one')
    .addHelpText('after', EXAMPLES)
    .action((names: string[], flags: GraphFlags) => run((invocation) => runGraph(invocation, names, flags)))
}

async function runGraph(invocation: Invocation, names: readonly string[], flags: GraphFlags): Promise<number> {
  requireCorrelator(invocation)
  const { output } = invocation
  const graph = await withEngine(invocation, (engine) => buildGraph(engine, names, flags))
  output.document(graph)
  for (const line of describeGraph(graph, output)) output.print(line)
  return EXIT.done
}

async function buildGraph(engine: Madeleine, names: readonly string[], flags: GraphFlags): Promise<CorrelationGraph> {
  const memoryIds: string[] = []
  for (const name of names) {
    const found = await engine.findNamed(name)
    if (found.length === 0) throw unknownName(name)
    memoryIds.push(...found.map(({ id }) => id))
  }
  return engine.buildCorrelationGraph({
    memoryIds: [...new Set(memoryIds)],
    ...dropUndefined({ maxDepth: flags.depth, includeTypes: flags.tier, minScore: flags.minScore }),
  })
}

function unknownName(name: string): MadeleineError {
  return new MadeleineError('NOT_FOUND', `Cannot draw the graph of "${name}": no memory has this id, path or title`, {
    remedy: 'Use an id or path from search results, or a whole title as it is written',
  })
}
