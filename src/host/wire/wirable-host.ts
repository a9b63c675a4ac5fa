import type { Finding } from '../../index.ts'

/** What of the machine decides where hosts keep their configuration. */
export interface WirePlaces {
  home: string
  cwd: string
  env: NodeJS.ProcessEnv
  platform: NodeJS.Platform
}

/** How a host starts Madeleine, without a shell and without its user's PATH. */
export interface Launch {
  /** Absolute path of the runtime. */
  command: string
  /** Absolute path of the program that it runs. */
  script: string
  /** Flags that lead to the user's configuration and store where the defaults would not. */
  options: readonly string[]
  /** Folder of the installed package, which holds the plugins. */
  packageFolder: string
  /** The same in the words of a plugin's configuration. */
  pluginConfig: Readonly<Record<string, string>>
}

/** What a configuration file holds of ours. */
export interface WiredParts {
  /** Parts of ours that are there, of those that are wanted. */
  present: number
  wanted: number
  /** Absolute paths that the parts name. */
  programs: readonly string[]
}

/**
 * One configuration file of a host, and how its text changes. Contract:
 * - `wire` and `unwire` are pure and change nothing but our own parts; `wire(wire(x)) === wire(x)`.
 * - `undefined` is a file that is not there.
 * - `before` is the text from before the first `wire`, where it is known: containers that it has are kept, values that we replaced come back.
 * - A text that cannot be parsed, or that leaves no room for our part, throws `TextProblem`.
 */
export interface HostFile {
  path: string
  wire(text: string | undefined): string
  unwire(text: string, before?: string): string
  look(text: string): WiredParts
}

/** What `check` looks at: the texts of a host's files that are wired. */
export interface HostCheck {
  files: ReadonlyArray<{ path: string; text: string }>
}

/** A program that can be wired. One value a host; `describe('a host')` in the tests holds for each. */
export interface WirableHost {
  /** How it is called on the command line. */
  id: string
  name: string
  /** Ways to wire it other than the usual one: `id:variant`. */
  variants?: readonly string[]
  /** Whether the host, or what it keeps, is on this machine. */
  detect(places: WirePlaces): boolean
  /** The files that wiring it changes. */
  files(places: WirePlaces, launch: Launch, variant?: string): HostFile[]
  /** What else in a wired host's files keeps Madeleine from its work. */
  check?(given: HostCheck): Finding[]
  /** What the user does next. */
  next: string
}

/** Why a text cannot be changed: what is wrong, in which line, and what to do instead. */
export class TextProblem extends Error {
  /** From 1. */
  readonly line: number
  readonly remedy: string | undefined

  constructor(message: string, { text, at, remedy }: { text: string; at: number; remedy?: string }) {
    super(message)
    this.line = text.slice(0, at).split('\n').length
    this.remedy = remedy
  }
}
