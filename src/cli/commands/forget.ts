import { EXIT } from '../exit-codes.ts'
import { type AddCommand, withEngine } from '../invocation.ts'
import { cleanLine } from '../terminal-text.ts'
import { formatCount } from '../words.ts'

/** Ids that text output lists; --json has all of them. */
const SHOWN_IDS = 10

const EXAMPLES = `
Examples:
  $ madeleine forget memory/2026-07-18.md     everything that this document holds
  $ madeleine forget 4f2c9a7e11d0 --json      one memory, by the id that search --json gives`

/** `madeleine forget`: removes for good; what is forgotten does not come back with the next index. */
export const addForgetCommand: AddCommand = (program, run) => {
  program
    .command('forget')
    .description('remove a memory or a whole document from every index, for good')
    .argument('<id|path>', 'id of a memory, or path of a document')
    .addHelpText('after', EXAMPLES)
    .action((idOrPath: string) =>
      run(async (invocation) => {
        const { output } = invocation
        const report = await withEngine(invocation, (engine) => engine.forget(idOrPath))
        output.document(report)
        output.print(`Forgot ${formatCount(report.forgotten.length, 'memory')}. The files themselves are untouched.`)
        for (const id of report.forgotten.slice(0, SHOWN_IDS)) output.print(`  ${cleanLine(id)}`)
        if (report.forgotten.length > SHOWN_IDS) output.print(`  … and ${report.forgotten.length - SHOWN_IDS} more`)
        return EXIT.done
      }),
    )
}
