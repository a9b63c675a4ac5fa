import { statSync } from 'node:fs'
import path from 'node:path'

/** A path that may hold wildcards, taken apart: the folder to walk, and what the paths below it must look like. */
export interface PathPattern {
  folder: string
  /** `/`-separated, relative to the folder; absent where the path names a folder as a whole. */
  pattern?: string
}

const WILDCARD = /[*?[\]{}]/

/** Takes a path apart before the first part with a wildcard. */
export function splitPattern(written: string): PathPattern {
  const parts = written.split(path.sep === '\\' ? /[\\/]/ : '/')
  const first = parts.findIndex((part) => WILDCARD.test(part))
  if (first === -1) return { folder: written }
  return { folder: parts.slice(0, first).join('/') || '/', pattern: parts.slice(first).join('/') }
}

/**
 * What a configured path of notes means: a folder, one file, or a pattern. What stands on disk under that very name is taken for
 * itself, whatever its name holds.
 */
export function locateNotes(written: string): PathPattern & { file?: string } {
  const found = statSync(written, { throwIfNoEntry: false })
  if (found?.isDirectory()) return { folder: written }
  if (found || (/\.(?:md|markdown)$/i.test(written) && !WILDCARD.test(written))) {
    return { folder: path.dirname(written), file: path.basename(written) }
  }
  return splitPattern(written)
}

/** How many folders deep a path that fits can be: beyond them nothing need be looked at. */
export function patternDepth(pattern: string): number {
  return pattern.includes('**') ? Number.POSITIVE_INFINITY : pattern.split('/').length - 1
}

/**
 * Tells whether a relative path fits a pattern: `*` and `?` within a name, `**` over any number of folders, `[a-z]`, `[!a-z]` and
 * `{one,other}`. Composed and decomposed letters are the same.
 */
export function createPatternMatcher(pattern: string): (relativePath: string) => boolean {
  const expression = new RegExp(`^${toExpression(pattern.normalize('NFC'))}$`, 'u')
  return (relativePath) => expression.test(relativePath.normalize('NFC'))
}

const TOKEN = /\*\*\/|\*\*|\*|\?|\[!?[^\]/]+\]|\{[^{}]*\}|[\s\S]/gu

function toExpression(pattern: string): string {
  return [...pattern.matchAll(TOKEN)].map(([token]) => tokenExpression(token)).join('')
}

function tokenExpression(token: string): string {
  switch (token) {
    case '**/':
      return '(?:[^/]+/)*'
    case '**':
      return '.*'
    case '*':
      return '[^/]*'
    case '?':
      return '[^/]'
  }
  if (token.length > 1 && token.startsWith('[')) {
    const isNegated = token[1] === '!'
    const inside = token.slice(isNegated ? 2 : 1, -1).replace(/[\\\]^[&~|]/g, '\\$&')
    return isNegated ? `[^/${inside}]` : `[${inside}]`
  }
  if (token.length > 1 && token.startsWith('{')) {
    return `(?:${token.slice(1, -1).split(',').map(toExpression).join('|')})`
  }
  return /[$()*+./?[\\\]^{|}]/.test(token) ? `\\${token}` : token
}
