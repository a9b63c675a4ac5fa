import { idsOfNames } from '../../host/related-memories.ts'
import {
  type BuildCorrelationGraphParams,
  type CorrelationGraph,
  collectCorrelationReport,
  formatCorrelationReport,
  formatGraph,
  GRAPH_FORMATS,
  type GraphFormat,
  type Madeleine,
  MadeleineError,
  type NamedMemory,
  TIERS,
  type Tier,
} from '../../index.ts'
import { EXIT } from '../exit-codes.ts'
import { type AddCommand, dropUndefined, type Invocation, withEngine } from '../invocation.ts'
import { choiceList, choiceOption, share, wholeNumber } from '../option-values.ts'
import { noteDegraded } from '../output.ts'
import { refuseOptions } from '../refuse-options.ts'
import { requireCorrelator } from '../require-correlator.ts'
import { describeFiles, describeGraph, describeUnresolved, type NamedNodes } from '../show-graph.ts'
import { cleanForTerminal } from '../terminal-text.ts'

interface GraphFlags {
  depth?: number
  tier?: Tier[]
  minScore?: number
  predict?: boolean
  files?: boolean
  report?: boolean
  unresolved?: boolean
  format?: GraphFormat
}

const MAX_DEPTH = 100

const EXAMPLES = `
Examples:
  $ madeleine graph                                    around the best connected memories
  $ madeleine graph memory/runbooks/gauge-swap.md --depth 1
  $ madeleine graph "Gauge swap" --format mermaid      a drawing; graphml, dot and graphology for other programs
  $ madeleine graph --report > report.md
  $ madeleine graph --unresolved                       links in texts that name nothing, or several things
  $ madeleine graph --files                            which files say alike things`

/** `madeleine graph`: memories and how they bear on each other, from the named ones on. */
export const addGraphCommand: AddCommand = (program, run) => {
  program
    .command('graph')
    .description('how memories bear on each other, from some on or around the best connected')
    .argument('[memories...]', 'ids, paths (all of a document, or path:12-20) or exact titles')
    .option('--depth <n>', `steps from the named memories, 0 to ${MAX_DEPTH} (default 2)`, wholeNumber(0, MAX_DEPTH))
    .addOption(choiceList('--tier <tiers>', 'reach these kinds of knowledge only, between commas', TIERS))
    .option('--min-score <x>', 'leave out relationships that are weaker, 0 to 1', share)
    .option('--predict', 'also suggest relationships that the graph makes likely; none is kept')
    .option('--files', 'by files: which of them say alike things')
    .option('--report', 'as a report in Markdown: relationships, graph, kinds of knowledge, what to look at')
    .option('--unresolved', 'only links in texts that name no memory, or more than one')
    .addOption(choiceOption('--format <format>', 'write it as', GRAPH_FORMATS))
    .addHelpText('after', EXAMPLES)
    .action((names: string[], flags: GraphFlags) => run((invocation) => runGraph(invocation, names, flags)))
}

async function runGraph(invocation: Invocation, names: readonly string[], flags: GraphFlags): Promise<number> {
  requireCorrelator(invocation)
  refuseTogether(flags, invocation.output.json)
  if (flags.files) {
    refuseOptions('show a graph of files', flags, ['depth', 'tier', 'minScore', 'predict'])
    return showFiles(invocation, names)
  }
  if (flags.unresolved) refuseOptions('list unresolved links', flags, ['depth', 'tier', 'minScore', 'predict'])
  if (flags.report) return writeReport(invocation, names, flags)
  const { output } = invocation
  const isDrawn = !output.json && flags.format === undefined && !flags.unresolved
  const { graph, named } = await withEngine(invocation, async (engine) => {
    const built = await buildGraph(engine, names, flags)
    return { graph: built, named: isDrawn ? await nameNodes(engine, built) : new Map() }
  })
  if (flags.unresolved) {
    output.document({ unresolved: graph.unresolved })
    for (const line of describeUnresolved(graph.unresolved, output)) output.print(line)
    if (graph.unresolved.length === 0) output.print('Every link names one memory.')
    return EXIT.done
  }
  const isAsJson = output.json && (flags.format === undefined || flags.format === 'json')
  if (isAsJson) output.document(graph)
  else if (output.json) output.document(JSON.parse(formatGraph(graph, 'graphology')))
  else if (flags.format !== undefined) output.print(cleanForTerminal(formatGraph(graph, flags.format)).trimEnd())
  else for (const line of describeGraph(graph, named, output)) output.print(line)
  return EXIT.done
}

/** Each of these says by itself what is written. */
function refuseTogether({ files, unresolved, report, format }: GraphFlags, json: boolean): void {
  const given = [
    ...(files ? ['--files'] : []),
    ...(unresolved ? ['--unresolved'] : []),
    ...(report ? ['--report'] : []),
    ...(format === undefined ? [] : [`--format ${format}`]),
  ]
  if (json && format !== undefined && format !== 'json' && format !== 'graphology') given.push('--json')
  if (given.length < 2) return
  throw new MadeleineError(
    'INVALID_OPTION',
    `Cannot write a graph with ${given.join(' and ')}: they exclude each other`,
    {
      remedy: 'Choose one of them.',
    },
  )
}

async function buildGraph(engine: Madeleine, names: readonly string[], flags: GraphFlags): Promise<CorrelationGraph> {
  return engine.buildCorrelationGraph(await toParams(engine, names, flags))
}

async function toParams(
  engine: Madeleine,
  names: readonly string[],
  { depth: maxDepth, tier: includeTypes, minScore, predict }: GraphFlags,
): Promise<BuildCorrelationGraphParams> {
  const memoryIds = await idsOfNames(engine, {}, names)
  return { memoryIds, ...dropUndefined({ maxDepth, includeTypes, minScore, predict }) }
}

async function writeReport(invocation: Invocation, names: readonly string[], flags: GraphFlags): Promise<number> {
  const { output } = invocation
  const report = await withEngine(invocation, async (engine) =>
    formatCorrelationReport(
      await collectCorrelationReport(engine, await toParams(engine, names, flags), invocation.now()),
    ),
  )
  output.document({ report })
  output.print(cleanForTerminal(report).trimEnd())
  return EXIT.done
}

async function nameNodes(engine: Madeleine, { nodes }: CorrelationGraph): Promise<NamedNodes> {
  const named = new Map<string, NamedMemory>()
  for (const { id } of nodes) {
    const [memory] = await engine.findNamed(id)
    if (memory) named.set(id, memory)
  }
  return named
}

async function showFiles(invocation: Invocation, paths: readonly string[]): Promise<number> {
  const { output } = invocation
  const graph = await withEngine(invocation, (engine) => engine.buildFileGraph(paths.length > 0 ? { paths } : {}))
  output.document(graph)
  for (const line of describeFiles(graph, output)) output.print(line)
  noteDegraded(output, graph.degraded)
  return EXIT.done
}
