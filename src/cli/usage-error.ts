import type { Command, CommanderError } from 'commander'
import { MadeleineError } from '../index.ts'

/** What the parser says, split into what is wrong and what to do. */
export function usageError(
  { message, code }: CommanderError,
  args: readonly string[],
  program: Command,
): MadeleineError {
  if (code === 'commander.help') {
    return new MadeleineError('INVALID_OPTION', 'Cannot run without a command', {
      remedy: 'Name a command; `madeleine --help` lists them.',
    })
  }
  const [first = '', ...rest] = message.replace(/^error: /, '').split('\n')
  const [problem = '', allowed] = first.split(/(?<=\.) (?=Allowed: )/)
  const suggestion = rest.join(' ').replace(/^\((.*)\)$/, '$1')
  const command = program.commands.find((candidate) => args.includes(candidate.name()))
  const help = `See \`madeleine ${command ? `${command.name()} ` : ''}--help\`.`
  return new MadeleineError('INVALID_OPTION', problem.charAt(0).toUpperCase() + problem.slice(1), {
    remedy: allowed ?? (suggestion || help),
  })
}
