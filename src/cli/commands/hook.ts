import type { AddCommand } from '../invocation.ts'

const HELP_END = `
It never fails: whatever is wrong, it exits with 0 and prints nothing, and \`madeleine doctor\` tells what it was. With
MADELEINE_DEBUG=1 it also says so on stderr, and with MADELEINE_CHILD=1 it does nothing at all.

  UserPromptSubmit              what should stand before the agent's eyes in this turn, mostly nothing
  SessionStart                  open points of the project and how its last session ended
  SessionStart after compact    what the session had been given before
  PreCompact, Stop, SessionEnd  what was added to the transcript is indexed, by another process

The first hook starts a process that keeps store and model open (see madeleine warm --help).

Examples:
  $ madeleine init --wire claude-code    puts it into Claude Code's settings
  $ echo '{"hook_event_name":"UserPromptSubmit","session_id":"s-1","cwd":"'$PWD'","prompt":"and the shed?"}' | madeleine hook claude-code`

/** `madeleine hook`: listed here for its help. It runs before any of the command line is loaded (hook-entry.ts). */
export const addHookCommand: AddCommand = (program) => {
  program
    .command('hook')
    .description('answer an event of an agent host on stdin, as its hook')
    .argument('<host>', 'claude-code')
    .addHelpText('after', HELP_END)
}
