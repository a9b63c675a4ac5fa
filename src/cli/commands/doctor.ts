import type { Finding } from '../../index.ts'
import { EXIT } from '../exit-codes.ts'
import { type AddCommand, withEngine } from '../invocation.ts'
import type { Colors } from '../output.ts'
import { cleanLine } from '../terminal-text.ts'

const EXAMPLES = `
Examples:
  $ madeleine doctor
  $ madeleine doctor --json || echo "something needs attention"`

/** `madeleine doctor`: what is wrong and the remedy. Exit 3 when a finding is an error. */
export const addDoctorCommand: AddCommand = (program, run) => {
  program
    .command('doctor')
    .description('what is wrong, and what to do about it')
    .addHelpText('after', EXAMPLES)
    .action(() =>
      run(async (invocation) => {
        const { output } = invocation
        const report = await withEngine(invocation, (engine) => engine.doctor())
        output.document(report)
        if (report.findings.length === 0) output.print('Nothing is wrong.')
        for (const line of report.findings.flatMap((finding) => describeFinding(finding, output.colors))) {
          output.print(line)
        }
        return report.findings.some(({ severity }) => severity === 'error') ? EXIT.partly : EXIT.done
      }),
    )
}

function describeFinding({ severity, message, remedy }: Finding, colors: Colors): string[] {
  const paint = { error: colors.red, warning: colors.yellow, info: colors.cyan }[severity]
  return [`${paint(severity.padEnd('warning'.length))}  ${cleanLine(message)}`, `${' '.repeat(9)}${cleanLine(remedy)}`]
}
