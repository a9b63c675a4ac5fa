import { existsSync, readFileSync } from 'node:fs'
import { LineCounter, parseDocument } from 'yaml'
import { MadeleineError } from '../index.ts'
import { defaultConfigFile, pathProblem, resolvePath, shortenPath } from './paths.ts'
import type { ConfigFile } from './resolve-settings.ts'
import type { Surroundings } from './surroundings.ts'

/** Where the configuration file is: `--config`, else MADELEINE_CONFIG, else the user's configuration folder. */
export function locateConfigFile(
  flag: string | undefined,
  { env, home, cwd, platform }: Pick<Surroundings, 'env' | 'home' | 'cwd' | 'platform'>,
): { path: string; isNamed: boolean } {
  const given = flag ?? (env.MADELEINE_CONFIG || undefined)
  if (given === undefined) return { path: defaultConfigFile({ env, home, platform }), isNamed: false }
  const problem = pathProblem(given, platform)
  if (problem) {
    const origin = flag === undefined ? 'MADELEINE_CONFIG' : '--config'
    throw new MadeleineError('INVALID_OPTION', `Cannot use ${JSON.stringify(given)} for ${origin}: ${problem}`, {
      remedy: 'Give the path of a YAML file.',
    })
  }
  return { path: resolvePath(given, { home, base: cwd, platform }), isNamed: true }
}

/**
 * Reads the configuration file; undefined when it is missing and may be.
 * Throws INVALID_OPTION when it cannot be read, or is not a YAML mapping.
 */
export function readConfigFile(
  path: string,
  { home, mayBeMissing }: { home: string; mayBeMissing: boolean },
): ConfigFile | undefined {
  if (mayBeMissing && !existsSync(path)) return undefined
  const shown = shortenPath(path, home)
  try {
    return { path, values: parseConfig(readFileSync(path, 'utf8')) }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    throw new MadeleineError(
      'INVALID_OPTION',
      `Cannot read the configuration ${shown}: ${isMissing ? 'there is no such file' : reason}`,
      {
        remedy: isMissing ? 'Check the path, or run: madeleine init' : 'Correct the file; its form is `name: value`.',
        cause: error,
      },
    )
  }
}

/** The keys and values of a configuration text; an empty text has none. Throws an Error that says where it is wrong. */
export function parseConfig(text: string): Record<string, unknown> {
  const lineCounter = new LineCounter()
  const document = parseDocument(text, { lineCounter, prettyErrors: false })
  const [error] = document.errors
  if (error) throw new Error(`line ${lineCounter.linePos(error.pos[0]).line}: ${error.message}`)
  const values: unknown = document.toJS()
  if (values === null || values === undefined) return {}
  if (typeof values !== 'object' || Array.isArray(values)) throw new Error('it is not a list of `name: value`')
  return { ...values }
}
