import { exportStore, type StoreExport } from '../../index.ts'
import { EXIT } from '../exit-codes.ts'
import type { AddCommand, Invocation } from '../invocation.ts'
import { resolvePath, shortenPath } from '../paths.ts'
import { describeParts } from '../show-archive.ts'

interface ExportFlags {
  vectors: boolean
  force?: boolean
}

const EXAMPLES = `
Examples:
  $ madeleine export store.jsonl
  $ madeleine export store.jsonl --store postgres://me@db.example.org/team --tenant ada
  $ madeleine import store.jsonl --store postgres://me@db.example.org/team

The file holds everything in plain text, one JSON value a line, and is readable for you alone: documents and their memories, vectors,
relationships, reviews, the access history, what was forgotten and named values. Each part has a digest, by which import compares it.`

/** `madeleine export`: writes all that a store holds into a file, from which another store is made. */
export const addExportCommand: AddCommand = (program, run) => {
  program
    .command('export')
    .description('write all that the store holds into a file, to keep it or to move it into another store')
    .argument('<file>', 'file to write')
    .option('--no-vectors', 'leave vectors out: they can be made again from the texts')
    .option('--force', 'replace the file if it is there')
    .addHelpText('after', EXAMPLES)
    .action((file: string, flags: ExportFlags) => run((invocation) => runExport(invocation, file, flags)))
}

async function runExport(invocation: Invocation, given: string, { vectors, force }: ExportFlags): Promise<number> {
  const { surroundings, settings, output, now, timeZone } = invocation
  const { home, cwd, platform } = surroundings
  const file = resolvePath(given, { home, base: cwd, platform })
  const { store, tenant } = settings.values
  const done: StoreExport = await exportStore({
    ...{ store, tenant, timeZone, file, now: now() },
    withoutVectors: !vectors,
    mayReplace: force === true,
  })
  output.document({ file, ...done })
  output.print(`Exported to ${shortenPath(file, home)}:`)
  for (const line of describeParts(done.digests)) output.print(line)
  return EXIT.done
}
