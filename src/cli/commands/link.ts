import {
  chooseNamed,
  type Madeleine,
  MadeleineError,
  type NamedMemory,
  RELATIONSHIP_KINDS,
  RELATIONSHIP_TYPES,
  type RelationshipType,
} from '../../index.ts'
import { EXIT } from '../exit-codes.ts'
import { type AddCommand, dropUndefined, type Invocation, withEngine } from '../invocation.ts'
import { choiceOption, share } from '../option-values.ts'
import { requireCorrelator } from '../require-correlator.ts'
import { arrowOf, describeNamed } from '../show-correlation.ts'

interface LinkFlags {
  relationship?: RelationshipType
  score?: number
  metadata?: string
}

const EXAMPLES = `
Relationships, A being the source and B the target:
${RELATIONSHIP_TYPES.map((type) => `  ${type.padEnd(18)} ${RELATIONSHIP_KINDS[type].meaning}`).join('\n')}

Examples:
  $ madeleine link "Old tariff" "New tariff"
  $ madeleine link 4f2c9a7e11d0 "Gauge swap" --relationship references
  $ madeleine link memory/2026-07-18.md:12-20 9b1d03aa52c7 --relationship derives_from --score 0.85
  $ madeleine link "Old tariff" "New tariff" --relationship contradicts --metadata '{"kind":"update"}' --json`

/** `madeleine link`: states a relationship; saying the same twice is one. Where a name is not of exactly one memory nothing is done. */
export const addLinkCommand: AddCommand = (program, run) => {
  program
    .command('link')
    .description('state how one memory bears on another; it stays until you take it back')
    .usage('<source> <target> [--relationship <type>] [options]')
    .argument('<source>', 'id, path (path:12-20 names lines) or exact title')
    .argument('[target]', 'the same of the other memory')
    .addOption(
      choiceOption(
        '--relationship <type>',
        'how source bears on target; without it, as their texts show',
        RELATIONSHIP_TYPES,
      ),
    )
    .option('--score <x>', 'how strongly, 0 to 1 (default 1)', share)
    .option('--metadata <json>', 'whatever else is to be kept with it, a JSON object')
    .addHelpText('after', EXAMPLES)
    .action((source: string, target: string | undefined, flags: LinkFlags) =>
      run((invocation) => runLink(invocation, source, target, flags)),
    )
}

async function runLink(
  invocation: Invocation,
  sourceName: string,
  targetName: string | undefined,
  { relationship: given, score, metadata: written }: LinkFlags,
): Promise<number> {
  // Before anything that is asked is looked at: what is off refuses nothing.
  requireCorrelator(invocation)
  if (targetName === undefined) throw missingTarget()
  const metadata = written === undefined ? undefined : readMetadata(written)
  const { output } = invocation
  await withEngine(invocation, async (engine) => {
    const { source, target } = await chooseEnds(engine, 'link', sourceName, targetName)
    const answer = await engine.addRelationship({
      sourceId: source.id,
      targetId: target.id,
      ...dropUndefined({ relationshipType: given, score, metadata }),
    })
    output.document(answer)
    output.print(describeNamed(source, output))
    const kept = answer.relationship
    const { relationshipType: type, reason } = kept
    const why = given === undefined && reason ? `  ${output.colors.dim(reason)}` : ''
    output.print(` ${output.colors.green(kept.score.toFixed(2))}  ${arrowOf(type, 'out')} ${type}${why}`)
    output.print(describeNamed(target, output))
  })
  return EXIT.done
}

/** Both ends, each the one memory that its name stands for. */
export async function chooseEnds(
  engine: Madeleine,
  action: string,
  sourceName: string,
  targetName: string,
): Promise<{ source: NamedMemory; target: NamedMemory }> {
  const source = chooseNamed(action, sourceName, await engine.findNamed(sourceName))
  const target = chooseNamed(action, targetName, await engine.findNamed(targetName))
  return { source, target }
}

function missingTarget(): MadeleineError {
  return new MadeleineError('INVALID_OPTION', 'Cannot link: the target is missing', {
    remedy: 'Write `madeleine link SOURCE TARGET`; `madeleine link --help` says more.',
  })
}

function readMetadata(written: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(written)
  } catch {
    // Said below, as of everything else that is no object.
    value = undefined
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw new MadeleineError(
    'INVALID_OPTION',
    `Cannot use ${JSON.stringify(written)} for --metadata: it is no JSON object`,
    {
      remedy: `Write an object, for example '{"context":"said in the meeting"}'.`,
    },
  )
}
