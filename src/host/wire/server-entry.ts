import { isSame, pruneAt, readAt, removeAt, setAt } from './json/edit-json.ts'
import { type HostFile, type Launch, TextProblem, type WiredParts } from './wirable-host.ts'

/** What our server is called in every host. */
export const SERVER_NAME = 'madeleine'

/** The command line that serves a host, program first. */
export function serverCommand({ command, script, options }: Launch): string[] {
  return [command, script, 'mcp', ...options]
}

/** The form that most hosts give a server: a program and its arguments. */
export function commandAndArgs(launch: Launch): ServerEntry {
  const [command = '', ...args] = serverCommand(launch)
  return { command, args }
}

export type ServerEntry = Readonly<Record<string, string | readonly string[]>>

/** Where in a JSON text the servers are, given the text: hosts change it over time. */
export type ServersAt = (text: string) => readonly string[]

/** The part of a host's JSON file that names our server. */
export function serverInJson(path: string, at: ServersAt, entry: ServerEntry): HostFile {
  const placeIn = (text: string): string[] => [...at(text), SERVER_NAME]
  const namesakes = (text: string): unknown[] => underOtherNames(readAt(text, at(text)))
  return {
    path,
    wire(text = '') {
      const place = placeIn(text)
      const existing = readAt(text, place)
      if (existing === undefined) return namesakes(text).length > 0 ? text : setAt(text, place, entry)
      if (!isOurs(existing)) throw takenName(text, place)
      // Flags that the user has added, and other members, are not ours to take.
      return Object.entries(entry).reduce(
        (changed, [name, value]) =>
          beginsWith(existing[name], value) ? changed : setAt(changed, [...place, name], value),
        text,
      )
    },
    unwire(text, before) {
      const place = placeIn(text)
      if (!isOurs(readAt(text, place))) return text
      return pruneAt(removeAt(text, place), place.slice(0, -1), before)
    },
    look(text) {
      const [existing] = [readAt(text, placeIn(text)), ...namesakes(text)].filter(isOurs)
      return existing ? { present: 1, wanted: 1, programs: programsIn(existing) } : NOTHING
    },
  }
}

const NOTHING: WiredParts = { present: 0, wanted: 1, programs: [] }

/** The absolute paths at the head of a command line: the runtime, and what it runs. */
export function leadingPaths(words: readonly string[]): string[] {
  const end = words.findIndex((word) => !/^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(word))
  return words.slice(0, end === -1 ? words.length : end)
}

/** Whether an entry of our name starts our server, in either form that hosts have. */
export function isOurs(entry: unknown): entry is Record<string, unknown> {
  return wordsOf(entry).includes('mcp')
}

export function programsIn(entry: unknown): string[] {
  return leadingPaths(wordsOf(entry))
}

/** Servers that a user has named otherwise: a second one would offer each tool twice. */
function underOtherNames(servers: unknown): unknown[] {
  if (typeof servers !== 'object' || servers === null) return []
  const others = Object.entries(servers).filter(([name]) => name !== SERVER_NAME)
  return others.map(([, entry]) => entry).filter((entry) => isOurs(entry) && wordsOf(entry).some(startsUs))
}

/** The command by its name, or this program in a folder of our name. */
function startsUs(word: string): boolean {
  return /(?:^|[\\/])madeleine(?:\.cmd)?$|[\\/]madeleine[\\/]dist[\\/]cli[\\/]main\.js$/.test(word)
}

function wordsOf(entry: unknown): string[] {
  if (typeof entry !== 'object' || entry === null) return []
  const { command, args } = entry as { command?: unknown; args?: unknown }
  return [command, args].flat().filter((word) => typeof word === 'string')
}

function beginsWith(existing: unknown, wanted: string | readonly string[]): boolean {
  if (!Array.isArray(existing) || typeof wanted === 'string') return isSame(existing, wanted)
  return isSame(existing.slice(0, wanted.length), wanted)
}

/** What is said where a server of our name starts something else. */
export function takenName(text: string, place: readonly string[]): TextProblem {
  return new TextProblem(`${place.join('.')} is there and starts something else`, {
    text,
    at: Math.max(0, text.indexOf(`"${SERVER_NAME}"`)),
    remedy: 'Give that server another name, or take it out; then run it again.',
  })
}
