import type { StatusReport } from '../../index.ts'
import { EXIT } from '../exit-codes.ts'
import { type AddCommand, type Invocation, withEngine } from '../invocation.ts'
import { describeWarm, lookAtWarm } from '../look-at-warm.ts'
import { shortenPath } from '../paths.ts'
import { describeProblems } from '../problems.ts'
import { describeLedger } from '../show-ledger.ts'
import { alignColumns, cleanLine } from '../terminal-text.ts'
import { formatCount } from '../words.ts'

const EXAMPLES = `
Examples:
  $ madeleine status
  $ madeleine status --json
  $ madeleine status --ledger`

/** `madeleine status`: what is indexed, with which model, what was skipped and why. */
export const addStatusCommand: AddCommand = (program, run) => {
  program
    .command('status')
    .description('what is indexed, with which model, what was skipped and why')
    .option(
      '--ledger',
      'also account for every character of every file: indexed, taken out by which rule, left out why',
    )
    .addHelpText('after', EXAMPLES)
    .action((flags: { ledger?: boolean }) =>
      run(async (invocation) => {
        const ledger = flags.ledger === true
        const report = await withEngine(invocation, (engine) => engine.status({ ledger }))
        const warm = await lookAtWarm(invocation)
        invocation.output.document({ ...report, warm })
        for (const line of describeStatus(report, invocation)) invocation.output.print(line)
        invocation.output.print(`  warm     ${describeWarm(warm)}`)
        return report.roots.some(({ problem }) => problem) ? EXIT.partly : EXIT.done
      }),
    )
}

function describeStatus(report: StatusReport, { output, surroundings }: Invocation): string[] {
  const { colors } = output
  const { roots, documents, memories, states, pending, vectors, skipped, store } = report
  const lines = [
    `${colors.bold(formatCount(memories, 'memory'))} in ${formatCount(documents, 'document')}${describePartial(report)}`,
    `  store    ${shortenPath(store, surroundings.home)}`,
    ...(report.readStore === undefined ? [] : [`  reads    ${report.readStore}`]),
    `  vectors  ${describeVectors(vectors, pending)}`,
    `  states   ${states.active} active, ${states.stale} stale, ${states.archived} archived`,
  ]
  if (roots.length === 0)
    lines.push('  sources  none; run `madeleine init`, or name one with --workspace or --transcripts')
  else lines.push('  sources')
  const rows = roots.map(({ path, pattern, kind, documents: count, problem }) => [
    `    ${kind}`,
    cleanLine(shortenPath(pattern === undefined ? path : `${path}/${pattern}`, surroundings.home)),
    problem ? colors.red(cleanLine(problem)) : formatCount(count, 'document'),
  ])
  lines.push(...alignColumns(rows))
  lines.push(...describeProblems(skipped, output, 9))
  if (report.ledger)
    lines.push(...describeLedger(report.ledger, colors, (path) => shortenPath(path, surroundings.home)))
  return lines
}

function describePartial({ partial }: StatusReport): string {
  return partial === undefined ? '' : `, ${partial} of them read in part: run \`madeleine index\``
}

function describeVectors({ backend, identity, wanted }: StatusReport['vectors'], pending: number): string {
  if (wanted === null) return 'off (embedding none): search by words'
  const waiting = pending > 0 ? `, ${pending} pending: run \`madeleine index\`` : ''
  const other = identity !== null && identity !== wanted ? `, stored ones are of ${identity}` : ''
  return `${wanted} (${backend})${other}${waiting}`
}
