import { Argument } from 'commander'
import { MadeleineError, REVIEW_STATUSES, type ReviewItem, type ReviewStatus } from '../../index.ts'
import { EXIT } from '../exit-codes.ts'
import { formatMoment } from '../instant.ts'
import { type AddCommand, dropUndefined, type Invocation, withEngine } from '../invocation.ts'
import { choiceOption, wholeNumber } from '../option-values.ts'
import { refuseOptions } from '../refuse-options.ts'
import { requireCorrelator } from '../require-correlator.ts'
import { excerpt, formatPlace, withoutHeading } from '../show-result.ts'
import { cleanLine, wrapLine } from '../terminal-text.ts'
import { formatCount } from '../words.ts'

interface ReviewFlags {
  by?: string
  note?: string
  status?: ReviewStatus | 'all'
  limit?: number
}

type ReviewAction = 'list' | 'confirm' | 'dismiss'
const ACTIONS: readonly ReviewAction[] = ['list', 'confirm', 'dismiss']
const STATUSES: readonly (ReviewStatus | 'all')[] = [...REVIEW_STATUSES, 'all']
const MAX_LIMIT = 1000
const INDENT = '    '
const WORD = /[\p{L}\p{M}\p{N}]+/gu
/** Lines that are shown of each text. */
const SHOWN_LINES = 4

const EXAMPLES = `
Examples:
  $ madeleine review                                     contradictions that wait for somebody
  $ madeleine review confirm 3f9a12c0 --by Mara --note "the new tariff holds"
  $ madeleine review dismiss 3f9a12c0 --json
  $ madeleine review list --status all`

/** `madeleine review`: contradictions that people decide on. A decision is kept for ever; no memory is changed by it. */
export const addReviewCommand: AddCommand = (program, run) => {
  program
    .command('review')
    .description('contradictions that wait for a person: list, confirm or dismiss them')
    .addArgument(new Argument('[action]', 'list, confirm or dismiss').choices(ACTIONS).default('list'))
    .argument('[id]', 'id of a review, as the list gives it')
    .option('--by <name>', 'who decides (default you)')
    .option('--note <text>', 'why, in your words')
    .addOption(choiceOption('--status <status>', 'which to list (default open)', STATUSES))
    .option('--limit <n>', `how many to list, 1 to ${MAX_LIMIT} (default 50)`, wholeNumber(1, MAX_LIMIT))
    .addHelpText('after', EXAMPLES)
    .action((action: ReviewAction, id: string | undefined, flags: ReviewFlags) =>
      run((invocation) => {
        requireCorrelator(invocation)
        return action === 'list' ? listReviews(invocation, id, flags) : decide(invocation, action, id, flags)
      }),
    )
}

async function listReviews(invocation: Invocation, id: string | undefined, flags: ReviewFlags): Promise<number> {
  if (id !== undefined) {
    throw new MadeleineError('INVALID_OPTION', `Cannot list the review ${JSON.stringify(id)}: a list takes no id`, {
      remedy: 'Run `madeleine review list`, or `madeleine review confirm ID`.',
    })
  }
  refuseOptions('list reviews', flags, ['by', 'note'])
  const { output } = invocation
  const { status, limit } = flags
  const answer = await withEngine(invocation, (engine) => engine.listReviews(dropUndefined({ status, limit })))
  output.document(answer)
  if (answer.items.length === 0) output.print(status ? 'There is none.' : 'Nothing waits for a decision.')
  answer.items.forEach((item, index) => {
    if (index > 0) output.print('')
    for (const line of describeReview(item, invocation)) output.print(line)
  })
  if (answer.items.some((item) => item.status === 'open')) {
    output.note('\nDecide with `madeleine review confirm ID` or `madeleine review dismiss ID`.')
  }
  return EXIT.done
}

async function decide(
  invocation: Invocation,
  action: 'confirm' | 'dismiss',
  id: string | undefined,
  flags: ReviewFlags,
): Promise<number> {
  refuseOptions(`${action} a review`, flags, ['status', 'limit'])
  const { by, note } = flags
  if (id === undefined) {
    throw new MadeleineError('INVALID_OPTION', `Cannot ${action}: the id of a review is missing`, {
      remedy: `Write \`madeleine review ${action} ID\`; \`madeleine review\` lists the ids.`,
    })
  }
  const { output } = invocation
  const decision = action === 'confirm' ? 'confirmed' : 'dismissed'
  const answer = await withEngine(invocation, (engine) =>
    engine.decideReview({ id, decision, by: by ?? reviewerOf(invocation), ...dropUndefined({ note }) }),
  )
  output.document(answer)
  for (const line of describeReview(answer.item, invocation)) output.print(line)
  return EXIT.done
}

/** Who sits here. */
function reviewerOf({ settings, surroundings: { env } }: Invocation): string {
  return settings.values.agent ?? (env.USER || env.USERNAME || 'owner')
}

function describeReview(item: ReviewItem, invocation: Invocation): string[] {
  const { output, timeZone } = invocation
  const { colors, width } = output
  const state = item.status === 'open' ? colors.yellow('open') : item.status
  const texts = (
    [
      ['source', item.a],
      ['target', item.b],
    ] as const
  ).flatMap(([side, memory]) => {
    const words = item.evidence.filter((one) => one.side === side).flatMap(({ text }) => text.match(WORD) ?? [])
    const date = memory.occurredAt ? formatMoment(memory.occurredAt, timeZone) : ''
    return [
      `  ${[colors.bold(formatPlace(memory)), colors.dim(date)].filter(Boolean).join('  ')}`,
      ...excerpt(withoutHeading(memory.text), words, { output, indent: INDENT, lines: SHOWN_LINES }),
    ]
  })
  const decisions = item.history.map(({ decision, by, at, note }) =>
    colors.dim(`  ${decision} by ${cleanLine(by)}, ${formatMoment(at, timeZone)}${note ? `: ${cleanLine(note)}` : ''}`),
  )
  const stand = item.confirmations === 1 ? 'stands' : 'stand'
  const enforced = item.enforced ? [`  ${formatCount(item.confirmations, 'reviewer')} ${stand} by it.`] : []
  return [
    `${colors.bold(cleanLine(item.id))}  ${state}`,
    ...wrapLine(cleanLine(item.reason), width - 2).map((line) => `  ${line}`),
    ...texts,
    ...decisions,
    ...enforced,
  ]
}
