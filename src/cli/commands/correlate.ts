import {
  type CorrelationResult,
  chooseNamed,
  type NamedMemory,
  RELATIONSHIP_TYPES,
  type RelationshipType,
} from '../../index.ts'
import { EXIT } from '../exit-codes.ts'
import { type AddCommand, dropUndefined, type Invocation, withEngine } from '../invocation.ts'
import { choiceList, share, wholeNumber } from '../option-values.ts'
import { noteDegraded } from '../output.ts'
import { requireCorrelator } from '../require-correlator.ts'
import { describeCorrelation, describeNamed } from '../show-correlation.ts'
import { formatCount } from '../words.ts'

interface CorrelateFlags {
  relationship?: RelationshipType[]
  minScore?: number
  max?: number
  explain?: boolean
}

const MAX_RESULTS = 1000

const EXAMPLES = `
Examples:
  $ madeleine correlate 4f2c9a7e11d0                      by the id that search --json gives
  $ madeleine correlate "Gauge swap" --explain            by an exact title, with the parts of each score
  $ madeleine correlate memory/2026-07-18.md:12-20 --relationship contradicts,supports --json`

/** `madeleine correlate`: how other memories bear on one. None is an answer, not a failure. */
export const addCorrelateCommand: AddCommand = (program, run) => {
  program
    .command('correlate')
    .description('how other memories bear on one: what it refers to, contradicts, follows, rests on')
    .argument('<memory>', 'id, path (path:12-20 names lines) or exact title')
    .addOption(choiceList('--relationship <types>', 'these relationships only, between commas', RELATIONSHIP_TYPES))
    .option(
      '--min-score <x>',
      'leave out what is weaker, 0 to 1 (default: the configured value for what is inferred; what the texts state is shown)',
      share,
    )
    .option('--max <n>', `how many at most, 1 to ${MAX_RESULTS} (default 10)`, wholeNumber(1, MAX_RESULTS))
    .option('--explain', 'say what makes each score')
    .addHelpText('after', EXAMPLES)
    .action((name: string, flags: CorrelateFlags) => run((invocation) => runCorrelate(invocation, name, flags)))
}

async function runCorrelate(invocation: Invocation, name: string, flags: CorrelateFlags): Promise<number> {
  requireCorrelator(invocation)
  const { output } = invocation
  const { relationship, minScore, max, explain = false } = flags
  await withEngine(invocation, async (engine) => {
    const memory = chooseNamed('relate', name, await engine.findNamed(name))
    const found = await engine.findCorrelations({
      memoryId: memory.id,
      type: memory.tier,
      ...dropUndefined({ relationshipTypes: relationship, minScore, maxResults: max }),
    })
    output.document(found)
    noteDegraded(output, found.degraded)
    if (output.json) return
    output.print(describeNamed(memory, output))
    if (found.correlations.length === 0) output.print(' Nothing bears on it strongly enough.')
    for (const correlation of found.correlations) {
      const [target]: NamedMemory[] = await engine.findNamed(correlation.targetId)
      output.print('')
      for (const line of describeCorrelation(correlation, target, { output, isExplained: explain })) output.print(line)
    }
    noteRest(invocation, found)
  })
  return EXIT.done
}

function noteRest({ output }: Invocation, { totalFound, correlations }: CorrelationResult): void {
  const left = totalFound - correlations.length
  if (left > 0) output.note(`\n${formatCount(left, 'weaker relationship')} more; --max shows them.`)
}
