import type { GetOptions } from '../../index.ts'
import { type GetResponse, type Madeleine, MadeleineError } from '../../index.ts'
import { parsePlaceName } from '../../model/place-name.ts'
import { EXIT } from '../exit-codes.ts'
import { type AddCommand, dropUndefined, type Invocation, withEngine } from '../invocation.ts'
import { wholeNumber } from '../option-values.ts'
import { cleanForTerminal } from '../terminal-text.ts'

interface GetFlags {
  from?: number
  lines?: number
}

const EXAMPLES = `
Examples:
  $ madeleine get memory/2026-07-18.md
  $ madeleine get memory/2026-07-18.md:12-20         as search prints it
  $ madeleine get memory/pumps.md --from 40 --lines 10 --json`

/** `madeleine get`: the text behind a hit, cleaned and redacted. */
export const addGetCommand: AddCommand = (program, run) => {
  program
    .command('get')
    .description('the text of a memory or of lines of a document')
    .argument('<id|path>', 'id of a memory, or path of a document; path:12-20 names lines')
    .option('--from <line>', 'first line, from 1', wholeNumber(1))
    .option('--lines <n>', 'how many lines', wholeNumber(1))
    .addHelpText('after', EXAMPLES)
    .action((idOrPath: string, flags: GetFlags) => run((invocation) => runGet(invocation, idOrPath, flags)))
}

async function runGet(invocation: Invocation, idOrPath: string, flags: GetFlags): Promise<number> {
  const { output } = invocation
  const response = await withEngine(invocation, (engine) => getText(engine, idOrPath, dropUndefined({ ...flags })))
  output.document(response)
  output.print(cleanForTerminal(response.text))
  if (response.truncated) output.note(describeCut(response))
  return EXIT.done
}

/** A unit that is too long alone is cut; everything else ends with a whole line. */
function describeCut({ startLine, endLine }: GetResponse): string {
  const next = `--from ${endLine + 1} goes on`
  return startLine === endLine
    ? `(line ${endLine} may be longer than what is shown: \`get\` with the id of a search hit shows what stands late in it; ${next})`
    : `(cut after line ${endLine}; ${next})`
}

/** A name is tried as it stands first: a path may end like a range of lines. */
async function getText(engine: Madeleine, idOrPath: string, options: GetOptions): Promise<GetResponse> {
  try {
    return await engine.get(idOrPath, options)
  } catch (error) {
    const range = options.from === undefined && options.lines === undefined ? splitLineRange(idOrPath) : undefined
    const isUnknown = error instanceof MadeleineError && error.code === 'NOT_FOUND'
    if (!isUnknown || !range) throw error
    return engine.get(range.path, { from: range.from, lines: range.lines })
  }
}

/**
 * Takes `path:12-20` or `path:12` apart; undefined when a name does not end so. Throws INVALID_OPTION for lines that no document
 * has: before the first, or last before first.
 */
export function splitLineRange(name: string): { path: string; from: number; lines: number } | undefined {
  const named = parsePlaceName(name)
  if (!named) return undefined
  const { path, from, to } = named
  if (from < 1 || to < from) {
    throw new MadeleineError('INVALID_OPTION', `Cannot get lines ${from} to ${to}: there are no such lines`, {
      remedy: 'Lines count from 1, the first one comes first: path:12-20',
    })
  }
  return { path, from, lines: to - from + 1 }
}
