import { MEMORY_TYPES, type RememberOptions, TIERS, type Tier, VISIBILITIES, type Visibility } from '../../index.ts'
import type { MemoryType } from '../../model/memory.ts'
import { EXIT } from '../exit-codes.ts'
import { type AddCommand, dropUndefined, withEngine } from '../invocation.ts'
import { choiceOption } from '../option-values.ts'
import { formatCount } from '../words.ts'

interface RememberFlags {
  id?: string
  tier?: Tier
  type?: MemoryType
  at?: string
  session?: string
  visibility?: Visibility
}

const EXAMPLES = `
Examples:
  $ madeleine remember "The heron pump runs on 24 V"
  $ madeleine remember "Deploy with make ship, never by hand" --tier procedural --visibility global
  $ madeleine remember "Moved to the new flat" --at 2026-07-01 --type event --json`

/** `madeleine remember`: keeps something that stands in no file. */
export const addRememberCommand: AddCommand = (program, run) => {
  program
    .command('remember')
    .description('keep something that stands in no file')
    .argument('<text...>', 'what to remember')
    .option('--id <id>', 'your own id for it; a taken one is an error')
    .addOption(choiceOption('--tier <tier>', 'kind of knowledge (default semantic)', TIERS))
    .addOption(choiceOption('--type <type>', 'what it is about', MEMORY_TYPES))
    .option('--at <iso>', 'date or instant when it happened (default now)')
    .option('--session <id>', 'session that it belongs to')
    .addOption(choiceOption('--visibility <who>', 'who may see it (default private)', VISIBILITIES))
    .addHelpText('after', EXAMPLES)
    .action((words: string[], { at, session, ...rest }: RememberFlags) =>
      run(async (invocation) => {
        const options: RememberOptions = dropUndefined({ ...rest, occurredAt: at, sessionId: session })
        const remembered = await withEngine(invocation, (engine) => engine.remember(words.join(' '), options))
        invocation.output.document(remembered)
        invocation.output.print(`Remembered as ${remembered.id}`)
        const { redacted = 0 } = remembered
        if (redacted > 0)
          invocation.output.note(`(${formatCount(redacted, 'secret')} redacted: the text is kept without)`)
        return EXIT.done
      }),
    )
}
