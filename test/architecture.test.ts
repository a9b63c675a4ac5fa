import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const src = join(dirname(fileURLToPath(import.meta.url)), '..', 'src')

/** Rooms of the house and what each may import: other rooms, or one file of a room. Keep in step with ARCHITECTURE.md. */
const FOUNDATION = ['model/', 'text/', 'errors.ts', 'options.ts']
const PORTS = [
  'source/source.ts',
  'embedding/embedding-provider.ts',
  'store/memory-store.ts',
  'language-model/language-model.ts',
]
const MAY_IMPORT: Record<string, readonly string[]> = {
  'model/': [],
  'errors.ts': [],
  'options.ts': ['model/'],
  'webassembly.d.ts': [],
  'text/': ['model/', 'errors.ts', 'options.ts'],
  'sqlite/': ['errors.ts'],
  'threads/': [],
  'files/': [],
  'source/': [...FOUNDATION, 'normalize/', 'sqlite/'],
  'normalize/': FOUNDATION,
  'chunk/': FOUNDATION,
  'embedding/': [...FOUNDATION, 'files/', 'threads/'],
  'store/': [...FOUNDATION, 'files/', 'sqlite/'],
  'language-model/': FOUNDATION,
  'indexing/': [...FOUNDATION, ...PORTS, 'normalize/', 'chunk/'],
  'retrieval/': [...FOUNDATION, ...PORTS, 'normalize/', 'chunk/'],
  'correlation/': [...FOUNDATION, ...PORTS, 'normalize/', 'chunk/'],
  'recall/': [...FOUNDATION, ...PORTS, 'normalize/', 'chunk/', 'retrieval/', 'correlation/'],
  'heartbeat/': [...FOUNDATION, ...PORTS, 'normalize/', 'retrieval/', 'correlation/', 'recall/'],
  'read-ahead/': [...FOUNDATION, 'source/', 'indexing/', 'threads/'],
  'evaluation/': [...FOUNDATION, ...PORTS, 'retrieval/'],
  'engine.ts': [
    ...FOUNDATION,
    ...PORTS,
    'normalize/',
    'indexing/',
    'retrieval/',
    'correlation/',
    'recall/',
    'heartbeat/',
  ],
  'answer-from-replica.ts': ['model/', 'store/read-store.ts'],
  'open.ts': ['*'],
  'open-recall.ts': ['*'],
  'move-store.ts': ['*'],
  'index.ts': ['*'],
  'cli/': ['index.ts', 'files/', 'model/', 'host/'],
  'host/': ['index.ts', 'open-recall.ts', 'files/', 'model/', 'errors.ts', 'options.ts'],
  'compat/': ['index.ts', 'model/', 'cli/open-configured.ts'],
  'testing/': ['index.ts', ...FOUNDATION, ...PORTS],
}

/** Only these may read the environment, print, or read the wall clock. */
const OUTSIDE = ['cli/', 'host/', 'open.ts', 'testing/']

function listFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return entry.name === 'fixtures' ? [] : listFiles(path)
    return entry.name.endsWith('.ts') ? [relative(src, path).replaceAll('\\', '/')] : []
  })
}

const all = listFiles(src)
const files = all.filter((file) => !file.endsWith('.test.ts'))
const textOf = (file: string): string => readFileSync(join(src, file), 'utf8')
/** The code without its comments: what people write about code is not code. */
const codeOf = (file: string): string => textOf(file).replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')

/** Files that a file imports, type-only and dynamic imports included. */
function importsOf(file: string): string[] {
  const specifiers = [
    ...textOf(file).matchAll(/(?:^|\n)\s*(?:import|export)\s[^'"]*?from\s+'(\.[^']+)'|import\(\s*'(\.[^']+)'\s*\)/g),
  ]
  return specifiers.map((match) => posix.normalize(posix.join(posix.dirname(file), match[1] ?? match[2] ?? '')))
}

function roomOf(file: string): string {
  const slash = file.indexOf('/')
  return slash === -1 ? file : file.slice(0, slash + 1)
}

describe('the house', () => {
  it('has only rooms that the import table names', () => {
    expect([...new Set(files.map(roomOf))].filter((room) => !(room in MAY_IMPORT))).toEqual([])
  })

  it('imports only downwards, as the table says', () => {
    const wrong = files.flatMap((file) => {
      const room = roomOf(file)
      const allowed = MAY_IMPORT[room] ?? []
      return importsOf(file)
        .filter((target) => roomOf(target) !== room || !room.endsWith('/'))
        .filter(
          (target) =>
            target !== file && !allowed.includes('*') && !allowed.includes(roomOf(target)) && !allowed.includes(target),
        )
        .map((target) => `${file} → ${target}`)
    })
    expect(wrong).toEqual([])
  })

  it('imports only files that exist', () => {
    const known = new Set(all)
    expect(
      files.flatMap((file) =>
        importsOf(file)
          .filter((target) => !known.has(target))
          .map((target) => `${file} → ${target}`),
      ),
    ).toEqual([])
  })

  it('has no cycles, type-only imports included', () => {
    const cycles: string[] = []
    const done = new Set<string>()
    const visit = (file: string, path: readonly string[]): void => {
      if (path.includes(file)) {
        cycles.push([...path.slice(path.indexOf(file)), file].join(' → '))
        return
      }
      if (done.has(file)) return
      for (const target of importsOf(file)) visit(target, [...path, file])
      done.add(file)
    }
    for (const file of files) visit(file, [])
    expect(cycles).toEqual([])
  })

  it('reads the environment, prints and looks at the clock only at its doors', () => {
    const forbidden =
      /\bprocess\.(?:env|stdout|stderr|argv)\b|\bconsole\.|\bDate\.now\(\)|\bnew Date\(\)|\bMath\.random\(\)/
    const wrong = files
      .filter((file) => !OUTSIDE.some((door) => file === door || (door.endsWith('/') && file.startsWith(door))))
      .filter((file) => forbidden.test(codeOf(file)))
    expect(wrong).toEqual([])
  })

  it('swallows no error without saying why, and types nothing as any', () => {
    const wrong = files.filter(
      (file) =>
        /catch\s*(\([^)]*\))?\s*\{\s*\}|@ts-(?:ignore|nocheck)/.test(textOf(file)) ||
        /:\s*any\b|\bas any\b/.test(codeOf(file)),
    )
    expect(wrong).toEqual([])
  })

  it('names no file after a role that says nothing', () => {
    const empty = /(^|[-/])(manager|service|helper|helpers|util|utils|common|misc|ops|processor)([-.]|$)/
    expect(all.filter((file) => empty.test(file))).toEqual([])
  })

  it('keeps every source file short enough to have one reason to change', () => {
    const long = files
      .map((file) => ({ file, lines: textOf(file).split('\n').length }))
      .filter(({ lines }) => lines > 400)
    expect(long).toEqual([])
  })
})
