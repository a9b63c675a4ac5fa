import type { ImportKind, ImportReport } from '../../host/import/import-memories.ts'
import { EXIT } from '../exit-codes.ts'
import { type AddCommand, type Invocation, withEngine } from '../invocation.ts'
import { choiceOption } from '../option-values.ts'
import { resolvePath } from '../paths.ts'
import { cleanLine } from '../terminal-text.ts'
import { formatCount } from '../words.ts'

/** What `--from` takes; the readers are loaded with the command. */
const KINDS: readonly ImportKind[] = ['server-memory', 'mem0', 'basic-memory']
/** Reasons that text output lists; --json has all of them. */
const SHOWN_REASONS = 10

const EXAMPLES = `
Kinds:
  server-memory    the JSONL file of @modelcontextprotocol/server-memory (MEMORY_FILE_PATH)
  mem0             the JSON of its get_all, or of a memory export
  basic-memory     a folder of its notes, or one of them; to follow the notes as they change, index the folder instead

Examples:
  $ madeleine import --from server-memory ~/.local/share/memory.jsonl
  $ madeleine import --from mem0 mem0-export.json --json

Each becomes a remembered memory; secrets are redacted. Importing again adds what is new and nothing else.`

/** `madeleine import`: takes over what another program remembers. */
export const addImportCommand: AddCommand = (program, run) => {
  program
    .command('import')
    .description('take over what another memory program has kept')
    .argument('<file>', 'its file, or its folder of notes')
    .addOption(choiceOption('--from <kind>', 'whose it is', KINDS).makeOptionMandatory())
    .addHelpText('after', EXAMPLES)
    .action((file: string, { from }: { from: ImportKind }) =>
      run(async (invocation) => {
        const report = await runImport(invocation, file, from)
        invocation.output.document(report)
        for (const line of describeImport(report)) invocation.output.print(line)
        return report.skipped.length > 0 ? EXIT.partly : EXIT.done
      }),
    )
}

async function runImport(invocation: Invocation, given: string, kind: ImportKind): Promise<ImportReport> {
  const { importMemories } = await import('../../host/import/import-memories.ts')
  const { home, cwd, platform } = invocation.surroundings
  const { tenant, agent = '', project = '' } = invocation.settings.values
  const file = resolvePath(given, { home, base: cwd, platform })
  return withEngine(invocation, (engine) => importMemories(engine, { kind, file, owner: [tenant, agent, project] }))
}

function describeImport({ imported, unchanged, skipped }: ImportReport): string[] {
  const reasons = skipped.slice(0, SHOWN_REASONS).map(({ path, line, reason }) => {
    const where = [path, line].filter((part) => part !== undefined).join(':')
    return `  ${cleanLine(where === '' ? reason : `${where}: ${reason}`)}`
  })
  return [
    `Imported ${formatCount(imported, 'memory')}; ${unchanged} known before, ${skipped.length} skipped.`,
    ...reasons,
    ...(skipped.length > SHOWN_REASONS ? [`  … and ${skipped.length - SHOWN_REASONS} more`] : []),
  ]
}
