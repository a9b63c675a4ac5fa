import { existsSync, readFileSync } from 'node:fs'
import type { Finding } from '../../../index.ts'
import { folderFrom, inHome, joinPath } from '../host-folders.ts'
import { appendAt, pruneAt, readAt, removeAt, setAt } from '../json/edit-json.ts'
import { commandAndArgs, leadingPaths, serverInJson } from '../server-entry.ts'
import type { HostFile, Launch, WirableHost, WirePlaces } from '../wirable-host.ts'

/** The events that `madeleine hook claude-code` answers, in the order of a session; only the first takes a matcher. */
const EVENTS: ReadonlyArray<{ name: string; matcher?: string }> = [
  { name: 'SessionStart', matcher: 'startup|resume|clear|compact' },
  { name: 'UserPromptSubmit' },
  { name: 'PreCompact' },
  { name: 'Stop' },
  { name: 'SessionEnd' },
]
/** Seconds after which the host gives up on a hook; its own deadline is far below. As in our plugin. */
const HOOK_TIMEOUT_SECONDS = 10
const OUR_HOOK = /\bhook claude-code\b/
const OUR_PLUGIN = /"madeleine@[^"]*"\s*:\s*true/

/** Claude Code: hooks in its settings, the server beside them. With our plugin switched on there is nothing to do: it brings both. */
export const claudeCode: WirableHost = {
  id: 'claude-code',
  name: 'Claude Code',
  next: 'Start Claude Code anew; /hooks and /mcp list what was added.',
  detect: (places) => existsSync(folderOf(places)) || existsSync(stateFile(places)),
  files(places, launch) {
    const settings = joinPath(places, folderOf(places), 'settings.json')
    const hasPlugin = existsSync(settings) && OUR_PLUGIN.test(readFileSync(settings, 'utf8'))
    const files = [
      hooksIn(settings, launch, places.platform),
      serverInJson(stateFile(places), () => ['mcpServers'], { type: 'stdio', ...commandAndArgs(launch) }),
    ]
    return hasPlugin ? files.map(leaveToPlugin) : files
  },
  check: ({ files }) => files.flatMap(({ path, text }) => findTroubles(path, text)),
}

/** What in the settings makes our hooks run twice, or not at all. */
function findTroubles(path: string, text: string): Finding[] {
  const findings: Finding[] = []
  if (OUR_PLUGIN.test(text)) {
    findings.push({
      id: 'claude-code-twice',
      severity: 'warning',
      message: `Claude Code has our hooks and our plugin: each prompt is answered twice (${path})`,
      remedy: 'Run "madeleine init --unwire claude-code", or switch the plugin off',
    })
  }
  if (readAt(text, ['disableAllHooks']) === true) {
    findings.push({
      id: 'claude-code-hooks-off',
      severity: 'error',
      message: `Claude Code runs no hooks: nothing is recalled (${path})`,
      remedy: 'Remove "disableAllHooks" from its settings',
    })
  }
  return findings
}

function folderOf(places: WirePlaces): string {
  return folderFrom(places, 'CLAUDE_CONFIG_DIR', inHome(places, '.claude'))
}

/** The servers of a user are kept with the state, which is in the home folder unless another folder is named. */
function stateFile(places: WirePlaces): string {
  return joinPath(places, folderFrom(places, 'CLAUDE_CONFIG_DIR', places.home), '.claude.json')
}

function leaveToPlugin(file: HostFile): HostFile {
  return { ...file, wire: (text = '') => text, look: (text) => ({ ...file.look(text), wanted: 0 }) }
}

function hooksIn(path: string, launch: Launch, platform: NodeJS.Platform): HostFile {
  const command = [launch.command, launch.script, 'hook', 'claude-code', ...launch.options]
    .map((word) => quote(word, platform))
    .join(' ')
  return {
    path,
    wire: (text = '') => EVENTS.reduce((changed, event) => wireEvent(changed, event, command), text),
    unwire: (text, before) =>
      pruneAt(
        EVENTS.reduce((changed, { name }) => unwireEvent(changed, name, before), text),
        ['hooks'],
        before,
      ),
    look(text) {
      const commands = EVENTS.flatMap(({ name }) =>
        ourHooks(text, name)
          .slice(0, 1)
          .map((place) => String(readAt(text, [...place, 'command']))),
      )
      return {
        present: commands.length,
        wanted: EVENTS.length,
        programs: commands.flatMap((one) => leadingPaths(wordsIn(one))),
      }
    },
  }
}

function wireEvent(text: string, { name, matcher }: { name: string; matcher?: string }, command: string): string {
  const [ours] = ourHooks(text, name)
  if (ours) return setAt(text, [...ours, 'command'], command)
  const hooks = [{ type: 'command', command, timeout: HOOK_TIMEOUT_SECONDS }]
  return appendAt(text, ['hooks', name], matcher === undefined ? { hooks } : { matcher, hooks })
}

/** Without our hooks, and without the groups that held nothing else. */
function unwireEvent(text: string, event: string, before: string | undefined): string {
  for (;;) {
    const ours = ourHooks(text, event).at(-1)
    if (ours === undefined) return text
    const group = ours.slice(0, 3)
    const isAlone = (readAt(text, [...group, 'hooks']) as unknown[]).length === 1
    text = removeAt(text, isAlone ? group : ours)
    text = pruneAt(text, ['hooks', event], before)
  }
}

type HookPlace = ['hooks', string, number, 'hooks', number]

/** Where in the settings our hooks of an event stand. */
function ourHooks(text: string, event: string): HookPlace[] {
  const groups = readAt(text, ['hooks', event])
  if (!Array.isArray(groups)) return []
  return groups.flatMap((group: { hooks?: unknown } | null, at) => {
    const hooks = Array.isArray(group?.hooks) ? group.hooks : []
    return hooks.flatMap((hook: { command?: unknown } | null, place): HookPlace[] =>
      typeof hook?.command === 'string' && OUR_HOOK.test(hook.command) ? [['hooks', event, at, 'hooks', place]] : [],
    )
  })
}

/** A word of a command line that a shell takes as it is. */
function quote(word: string, platform: NodeJS.Platform): string {
  if (/^[\w./:@%+=,-]+$/.test(word)) return word
  return platform === 'win32' ? `"${word}"` : `'${word.replaceAll("'", `'\\''`)}'`
}

function wordsIn(command: string): string[] {
  return [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  )
}
