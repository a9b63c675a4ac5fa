import { MadeleineError, type RecallRequest, type RecallResponse } from '../../index.ts'
import { EXIT } from '../exit-codes.ts'
import { type AddCommand, dropUndefined, type Invocation, withEngine } from '../invocation.ts'
import { wholeNumber } from '../option-values.ts'
import { OUTCOMES } from '../outcomes.ts'
import { noteDegraded, type Output } from '../output.ts'
import { parseRecallInput } from '../recall-event.ts'
import { explainResult, formatPlace } from '../show-result.ts'
import { describeTurns } from '../show-turns.ts'
import { alignColumns, cleanForTerminal, cleanLine } from '../terminal-text.ts'

interface RecallFlags {
  session?: string
  event?: string
  expand?: boolean
  explain?: boolean
  last?: number | true
}

const EXAMPLES = `
Examples:
  $ madeleine recall "shall we order the pump today?"
  $ madeleine recall "what did we decide about the paint?" --explain
  $ madeleine recall "why does the sluice jam?" --expand      what bears on an answer too, the relationship named
  $ echo '{"prompt":"and the shed?","session_id":"s-1"}' | madeleine recall --event - --json
  $ madeleine recall --last 5                 what came of the last five, those of hosts too, and why`

/** `madeleine recall`: what would be injected before a turn. Silence prints nothing on stdout. */
export const addRecallCommand: AddCommand = (program, run) => {
  program
    .command('recall')
    .description('what would be injected before this turn; nothing, when nothing matters')
    .argument('[prompt...]', 'what the user says; without it, text or a JSON event is read from stdin')
    .option('--session <id>', 'the running session: what it already shows is not injected again')
    .option('--event <file>', 'read a JSON event {prompt, recentTurns, sessionId, …}; only - (stdin) is taken')
    .option('--expand', 'let what bears on an item by a relationship stand beside it, and say how')
    .option('--explain', 'say why each candidate is in or out')
    .option('--last [n]', 'what came of the last recalls instead, newest first (default 10)', wholeNumber(1))
    .addHelpText('after', EXAMPLES)
    .action((words: string[], flags: RecallFlags) =>
      run((invocation) => (flags.last === undefined ? runRecall : showLast)(invocation, words.join(' '), flags)),
    )
}

async function showLast(invocation: Invocation, prompt: string, { last, ...others }: RecallFlags): Promise<number> {
  const { output, settings } = invocation
  if (prompt !== '' || Object.keys(others).length > 0) {
    throw new MadeleineError('INVALID_OPTION', 'Cannot recall and show what came of earlier recalls at once', {
      remedy: 'Give --last alone, with how many as you like: --last 5.',
    })
  }
  const { project } = settings.values
  const turns = await withEngine(invocation, (engine) =>
    engine.recentRecalls(dropUndefined({ limit: last === true ? undefined : last, project })),
  )
  output.document({ turns })
  if (turns.length === 0) output.print('No recall is kept yet.')
  for (const line of describeTurns(turns, invocation)) output.print(line)
  return EXIT.done
}

async function runRecall(invocation: Invocation, prompt: string, flags: RecallFlags): Promise<number> {
  const { output } = invocation
  const { env } = invocation.surroundings
  if (env.MADELEINE_CHILD && env.MADELEINE_CHILD !== '0') {
    output.document(silentResponse('asked by a process that the memory itself started'))
    return EXIT.done
  }
  const request = await readRequest(invocation, prompt, flags)
  const response = await withEngine(invocation, (engine) => engine.recall(request))
  output.document(response)
  noteDegraded(output, response.degraded)
  if (response.text !== '') output.print(cleanForTerminal(response.text))
  else output.note(`(silent: ${response.reason ?? 'nothing to say'})`)
  if (flags.explain) for (const line of explainRecall(response, request.prompt, output)) output.print(line)
  return EXIT.done
}

function silentResponse(reason: string): RecallResponse {
  return { text: '', items: [], skipped: true, reason, degraded: [], elapsedMs: 0 }
}

async function readRequest(
  { surroundings: { stdin } }: Invocation,
  prompt: string,
  { session, event, expand, explain }: RecallFlags,
): Promise<RecallRequest> {
  if (event !== undefined && event !== '-') {
    throw new MadeleineError(
      'INVALID_OPTION',
      `Cannot read the event from ${JSON.stringify(event)}: only stdin is taken`,
      {
        remedy: 'Write --event - and pipe the event in.',
      },
    )
  }
  const extra = dropUndefined({ sessionId: session, expand, explain })
  if (event === undefined && prompt !== '') return { prompt, ...extra }
  if (event === undefined && stdin.isTTY) {
    throw new MadeleineError('INVALID_OPTION', 'Cannot recall without a prompt', {
      remedy: 'Give the prompt as an argument, or pipe text or a JSON event in.',
    })
  }
  const request = parseRecallInput(await readAll(stdin), event === '-')
  return { ...request, ...(prompt !== '' && { prompt }), ...extra }
}

async function readAll(stream: NodeJS.ReadableStream): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of stream) parts.push(Buffer.from(part))
  return Buffer.concat(parts)
    .toString('utf8')
    .replace(/^\uFEFF/, '')
}

/** Every candidate with its fate, and below each one that is in, why it scores so. */
function explainRecall({ trace = [], reason, elapsedMs }: RecallResponse, prompt: string, output: Output): string[] {
  const { colors } = output
  const title = `${colors.bold(`${trace.length} considered`)} in ${Math.round(elapsedMs)} ms`
  const rows = alignColumns(
    trace.map((entry) => [
      `  ${entry.score.toFixed(2)}`,
      formatPlace(entry),
      entry.outcome === 'injected' ? colors.green(OUTCOMES[entry.outcome]) : colors.dim(OUTCOMES[entry.outcome]),
    ]),
  )
  const details = trace.map((entry) =>
    entry.outcome === 'injected' ? explainResult(entry.explanation, prompt, output) : [],
  )
  const lines = rows.flatMap((row, index) => [row, ...(details[index] ?? [])])
  return ['', title + (reason ? `: ${cleanLine(reason)}` : ''), ...lines]
}
