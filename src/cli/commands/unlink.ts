import { chooseNamed, type Madeleine, RELATIONSHIP_TYPES, type RelationshipType } from '../../index.ts'
import { EXIT } from '../exit-codes.ts'
import { type AddCommand, dropUndefined, type Invocation, withEngine } from '../invocation.ts'
import { choiceOption } from '../option-values.ts'
import { requireCorrelator } from '../require-correlator.ts'
import { formatCount } from '../words.ts'

interface UnlinkFlags {
  relationship?: RelationshipType
}

const EXAMPLES = `
Examples:
  $ madeleine unlink 4f2c9a7e11d0 9b1d03aa52c7                             all that was stated from one to the other
  $ madeleine unlink "Gauge swap" 9b1d03aa52c7 --relationship references --json`

/** `madeleine unlink`: takes back what was stated. What the texts show is found again. */
export const addUnlinkCommand: AddCommand = (program, run) => {
  program
    .command('unlink')
    .description('take back what was stated between two memories')
    .argument('<source>', 'id, path (path:12-20 names lines) or exact title')
    .argument('<target>', 'the same of the other memory')
    .addOption(choiceOption('--relationship <type>', 'this relationship only', RELATIONSHIP_TYPES))
    .addHelpText('after', EXAMPLES)
    .action((source: string, target: string, flags: UnlinkFlags) =>
      run((invocation) => runUnlink(invocation, source, target, flags)),
    )
}

async function runUnlink(
  invocation: Invocation,
  source: string,
  target: string,
  { relationship }: UnlinkFlags,
): Promise<number> {
  requireCorrelator(invocation)
  const { output } = invocation
  const answer = await withEngine(invocation, async (engine) =>
    engine.removeRelationship({
      sourceId: await idOf(engine, source),
      targetId: await idOf(engine, target),
      ...dropUndefined({ relationshipType: relationship }),
    }),
  )
  output.document(answer)
  output.print(`Took back ${formatCount(answer.removed, 'relationship')}.`)
  return EXIT.done
}

/** A relationship may name a memory that is not there any more: its id is then all that names it. */
async function idOf(engine: Madeleine, name: string): Promise<string> {
  const found = await engine.findNamed(name)
  return found.length === 0 ? name : chooseNamed('unlink', name, found).id
}
