import type { ImportKind, ImportReport } from '../../host/import/import-memories.ts'
import { importStore, MadeleineError } from '../../index.ts'
import { EXIT } from '../exit-codes.ts'
import { type AddCommand, type Invocation, withEngine } from '../invocation.ts'
import { choiceOption } from '../option-values.ts'
import { resolvePath } from '../paths.ts'
import { describeParts } from '../show-archive.ts'
import { cleanLine } from '../terminal-text.ts'
import { formatCount } from '../words.ts'

interface ImportFlags {
  from?: ImportKind
  add?: boolean
  allTenants?: boolean
}

/** What `--from` takes; the readers are loaded with the command. */
const KINDS: readonly ImportKind[] = ['server-memory', 'mem0', 'basic-memory']
/** Reasons that text output lists; --json has all of them. */
const SHOWN_REASONS = 10

const EXAMPLES = `
Kinds:
  server-memory    the JSONL file of @modelcontextprotocol/server-memory (MEMORY_FILE_PATH)
  mem0             the JSON of its get_all, or of a memory export
  basic-memory     a folder of its notes, or one of them; to follow the notes as they change, index the folder instead

Without --from the file is one that "madeleine export" wrote: all of it goes into a store that holds nothing yet (or is added to one that
does: what that holds stays as it is), whether the store is a file or in PostgreSQL. The file is checked before anything is written.

Examples:
  $ madeleine import store.jsonl --store postgres://me@db.example.org/team
  $ madeleine import --from server-memory ~/.local/share/memory.jsonl
  $ madeleine import --from mem0 mem0-export.json --json

What comes from another program becomes remembered memories; secrets are redacted. Importing again adds what is new and nothing else.`

/** `madeleine import`: makes a store of an export, or takes over what another program remembers. */
export const addImportCommand: AddCommand = (program, run) => {
  program
    .command('import')
    .description('take over an export of a store, or what another memory program has kept')
    .argument('<file>', 'the export, or the file or folder of notes of the other program')
    .addOption(choiceOption('--from <kind>', 'of which other program it is', KINDS))
    .option('--add', 'of an export: add to a store that holds something')
    .option('--all-tenants', 'of an export: take over the memories of every tenant in it')
    .addHelpText('after', EXAMPLES)
    .action((file: string, flags: ImportFlags) =>
      run((invocation) => {
        const { from, add, allTenants } = flags
        if (from === undefined) return runStoreImport(invocation, file, flags)
        if (add || allTenants) throw misplacedError(from)
        return runImport(invocation, file, from)
      }),
    )
}

async function runStoreImport(invocation: Invocation, given: string, flags: ImportFlags): Promise<number> {
  const { output, settings, timeZone } = invocation
  const { store, tenant } = settings.values
  const done = await importStore({
    ...{ store, tenant, timeZone, file: resolveGiven(invocation, given) },
    mayAdd: flags.add === true,
    allTenants: flags.allTenants === true,
  })
  output.document(done)
  const { counts, digests, isVerified } = done
  const kept = Object.values(counts).reduce((sum, { records, added }) => sum + records - added, 0)
  output.print(isVerified ? 'Imported; the store holds exactly what the file says:' : 'Imported:')
  for (const line of describeParts(digests)) output.print(line)
  if (kept > 0) output.print(`${kept} of these were there already, and stay as they are.`)
  return EXIT.done
}

async function runImport(invocation: Invocation, file: string, from: ImportKind): Promise<number> {
  const report = await importKind(invocation, file, from)
  invocation.output.document(report)
  for (const line of describeImport(report)) invocation.output.print(line)
  return report.skipped.length > 0 ? EXIT.partly : EXIT.done
}

async function importKind(invocation: Invocation, given: string, kind: ImportKind): Promise<ImportReport> {
  const { importMemories } = await import('../../host/import/import-memories.ts')
  const { tenant, agent = '', project = '' } = invocation.settings.values
  const file = resolveGiven(invocation, given)
  return withEngine(invocation, (engine) => importMemories(engine, { kind, file, owner: [tenant, agent, project] }))
}

function misplacedError(from: ImportKind): MadeleineError {
  return new MadeleineError('INVALID_OPTION', `Cannot import from ${from}: --add and --all-tenants are of exports`, {
    remedy: 'Leave them out: what another program has kept is always added',
  })
}

function resolveGiven({ surroundings }: Invocation, given: string): string {
  const { home, cwd, platform } = surroundings
  return resolvePath(given, { home, base: cwd, platform })
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
