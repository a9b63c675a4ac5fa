import type { EntityKind } from './entity.ts'

/** How entities of one kind are written. Every repetition is bounded or cannot be entered twice, so that a search is linear. */
export interface EntityForm {
  kind: EntityKind
  /** Global. A group `entity`, where there is one, is what counts of the match. */
  pattern: RegExp
  /** The key of what was found; undefined where it only looks like one. */
  toKey(found: string): string | undefined
}

const EXTENSIONS =
  'md|mdx|txt|log|rst|ts|tsx|mts|cts|js|jsx|mjs|cjs|json|jsonl|yaml|yml|toml|ini|cfg|conf|env|lock|py|ipynb|rs|go|java|kt|swift|c|h|cc|cpp|hpp|cs|rb|php|pl|lua|sh|bash|zsh|ps1|sql|html|css|scss|csv|tsv|xml|pdf|docx|xlsx|png|jpg|jpeg|svg|gif|db|sqlite|gz|zip|tar|wasm|exe|dll|so|proto|tf|vue|svelte'
const TOP_LEVELS =
  'com|org|net|io|dev|app|ai|edu|gov|info|co|uk|de|fr|it|es|nl|ch|at|jp|cn|kr|in|br|eu|us|ru|pl|se|no|fi|local|internal|lan|test|example|cloud|xyz|me|tv'
const PART = String.raw`[\p{L}\p{N}_@+~][\p{L}\p{M}\p{N}_.@+~-]{0,120}`
const BEFORE = String.raw`(?<![\p{L}\p{M}\p{N}_.@:/\\~-])`
const AFTER = String.raw`(?![\p{L}\p{N}_])`
const trimEnd = (found: string): string => found.replace(/[.,;:!?'"’”)\]}>*_]+$/u, '')
const lower = (found: string): string => found.normalize('NFC').toLowerCase()

/** An address without what varies: scheme, `www.`, trailing slash. */
export function toUrlKey(url: string): string {
  return lower(url)
    .replace(/^[a-z][a-z0-9+.-]*:\/\/(?:www\.)?/, '')
    .replace(/\/$/, '')
}

/** A path with `/` and without `./` in front. */
export function toPathKey(path: string): string {
  return lower(path)
    .replaceAll('\\', '/')
    .replace(/^(?:\.\/)+/, '')
    .replace(/:\d+(?::\d+)?$/, '')
}

function toIpKey(found: string): string | undefined {
  const [address = ''] = found.split(':')
  if (!found.includes('.'))
    return found.includes('::') || /[a-f]/i.test(found) || found.split(':').length === 8 ? lower(found) : undefined
  return address.split('.').every((part) => Number(part) <= 255) ? address : undefined
}

function toCommitKey(found: string): string | undefined {
  return /\d/.test(found) && /[a-f]/.test(found) ? found.slice(0, 7) : undefined
}

/** Forms, the more telling ones first: what one of them takes is not looked at by the next. */
export const ENTITY_FORMS: readonly EntityForm[] = [
  { kind: 'url', pattern: /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{1,15}:\/\/[^\s<>"`|]{2,2000}/giu, toKey: toUrlKey },
  {
    kind: 'email',
    pattern:
      /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}_%+-][\p{L}\p{N}._%+-]{0,63}@(?:[\p{L}\p{N}-]{1,63}\.){1,5}\p{L}{2,24}(?![\p{L}\p{N}@])/gu,
    toKey: lower,
  },
  {
    kind: 'issue',
    pattern:
      /(?<![\p{L}\p{N}_/#&])(?:[\w.-]{1,40}\/[\w.-]{1,80})?#\d{1,7}(?![\p{L}\p{N}_])|(?<![\p{L}\p{N}_-])[A-Z][A-Z0-9]{1,9}-\d{1,7}(?![\p{L}\p{N}_-])/gu,
    toKey: lower,
  },
  {
    kind: 'identifier',
    // A package in a scope, an identifier of 128 bits.
    pattern:
      /(?<![\p{L}\p{N}_@/.])@[a-z0-9][a-z0-9_.-]{0,60}\/[a-z0-9][a-z0-9_.-]{0,60}|(?<![0-9a-f-])[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}(?![0-9a-f-])/giu,
    toKey: (found) => lower(trimEnd(found)),
  },
  {
    kind: 'path',
    pattern: new RegExp(
      [
        String.raw`${BEFORE}(?:[A-Za-z]:[\\/]|~[\\/]|\.{1,2}[\\/]|[\\/](?![\\/\s]))(?:${PART}[\\/]){0,30}(?:${PART})?(?::\d{1,6})?`,
        String.raw`${BEFORE}(?:${PART}[\\/]){1,30}(?:${PART}|(?=[\s)\]"'\x60,;]|$))`,
        String.raw`${BEFORE}\.?[\p{L}\p{N}_][\p{L}\p{M}\p{N}_-]{0,80}(?:\.[\p{L}\p{N}_-]{1,40}){0,3}\.(?:${EXTENSIONS})${AFTER}(?::\d{1,6})?`,
      ].join('|'),
      'gu',
    ),
    toKey: (found) => (looksLikePath(found) ? toPathKey(found) : undefined),
  },
  {
    kind: 'ip',
    pattern:
      /(?<![\p{L}\p{N}.:])(?:(?:\d{1,3}\.){3}\d{1,3}(?::\d{1,5})?|(?:[0-9a-f]{1,4}:){1,7}(?::?[0-9a-f]{1,4}){1,7})(?![\p{L}\p{N}:]|\.\d)/giu,
    toKey: toIpKey,
  },
  {
    kind: 'host',
    pattern: new RegExp(
      String.raw`(?<![\p{L}\p{N}.@_-])(?:localhost|(?:[a-z0-9][a-z0-9-]{0,62}\.){1,5}(?:${TOP_LEVELS}))(?::\d{1,5})?(?![\p{L}\p{N}_(-]|\.[\p{L}\p{N}])`,
      'giu',
    ),
    toKey: lower,
  },
  {
    kind: 'port',
    pattern: /(?<![\p{L}\p{N}])port:?\s{1,2}(?<entity>\d{2,5})(?![\p{L}\p{N}.])/giu,
    toKey: (found) => `:${found}`,
  },
  { kind: 'commit', pattern: /(?<![\p{L}\p{N}_.#-])[0-9a-f]{7,40}(?![\p{L}\p{N}_]|[.-]\p{N})/gu, toKey: toCommitKey },
  {
    kind: 'handle',
    pattern: /(?<![\p{L}\p{N}_@.])@[\p{L}_][\p{L}\p{M}\p{N}_-]{1,38}(?![\p{L}\p{N}@])/gu,
    toKey: lower,
  },
  {
    kind: 'identifier',
    pattern: new RegExp(
      [
        String.raw`(?<![\p{L}\p{N}_])_{0,2}\p{L}[\p{L}\p{N}]{0,60}(?:_[\p{L}\p{N}]{1,60}){1,8}_{0,2}${AFTER}`,
        String.raw`(?<![\p{L}\p{N}_])\p{L}[\p{L}\p{M}\p{N}]{0,60}(?:-[\p{L}\p{M}\p{N}]{1,60}){1,6}${AFTER}`,
        String.raw`(?<![\p{L}\p{N}_])[\p{L}][\p{L}\p{M}\p{N}]{1,80}${AFTER}`,
        String.raw`(?<![\p{L}\p{N}_-])--[a-z][a-z0-9-]{1,40}${AFTER}`,
      ].join('|'),
      'gu',
    ),
    toKey: (found) => (looksLikeIdentifier(found) ? foldIdentifier(found) : undefined),
  },
]

/** "and/or" and "3/4" are no paths. */
function looksLikePath(found: string): boolean {
  const path = trimEnd(found)
  if (/^[.~]?[\\/]?$/.test(path)) return false
  if (/^(?:[A-Za-z]:|~|\.{1,2})?[\\/]/.test(path)) return /\p{L}/u.test(path.slice(1)) && path.length > 2
  if (!/[\\/]/.test(path)) return /\p{L}/u.test(path)
  return (
    new RegExp(String.raw`\.(?:${EXTENSIONS})(?::\d+)?$`, 'i').test(path) ||
    path.split(/[\\/]/).length > 2 ||
    /[\\/]$/.test(found)
  )
}

function looksLikeIdentifier(found: string): boolean {
  if (found.startsWith('--') || found.includes('_')) return true
  if (found.includes('-')) return /\p{N}/u.test(found)
  // camelCase, PascalCase of two or more humps, letters with digits, abbreviations.
  return (
    /\p{Ll}\p{Lu}/u.test(found) ||
    (/\p{L}\p{N}/u.test(found) && !/^[a-z]\d$/.test(found)) ||
    /^\p{Lu}{2,8}s?$/u.test(found)
  )
}

/** One key for all ways in which code joins words: `maxRetries`, `max_retries`, `MAX_RETRIES`, `max-retries`. */
function foldIdentifier(found: string): string {
  return lower(found.replace(/(\p{Ll}|\p{N})(?=\p{Lu})/gu, '$1-'))
    .replace(/[_-]+/g, '-')
    .replace(/^-|-$/g, '')
}
