// Builds dist/: the two WASM kernels from AssemblyScript, then the TypeScript with tsc, then hook and command line in few files.
//   --wasm-only   kernels only        --if-stale   do nothing when dist/ is newer than every input
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { makeLater } from './make-later.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const require = createRequire(import.meta.url)
const flags = new Set(process.argv.slice(2))
const startedAt = new Date()
const dist = join(root, 'dist')
const stamp = join(dist, '.built')
/** Built beside it and put in its place whole: others may be running what is there, or building as well. */
const fresh = join(root, `dist.${process.pid}`)

/** Kernel source in wasm/ → the place beside the TypeScript that loads it. */
const kernels = [
  { source: 'wasm/encoder.ts', target: 'src/embedding/bundled/encoder.wasm' },
  { source: 'wasm/scan.ts', target: 'src/store/vector-scan/scan.wasm' },
].filter(({ source }) => existsSync(join(root, source)))

function run(command, args) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
  if (error) throw error
  if (status !== 0) {
    rmSync(fresh, { recursive: true, force: true })
    process.exit(status ?? 1)
  }
}

function newest(path) {
  if (!existsSync(path)) return 0
  const entry = statSync(path)
  if (!entry.isDirectory()) return path.endsWith('.wasm') ? 0 : entry.mtimeMs
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))))
}

function isFresh() {
  if (!existsSync(stamp) || kernels.some(({ target }) => !existsSync(join(root, target)))) return false
  const built = statSync(stamp).mtimeMs
  return ['src', 'wasm', 'scripts', 'package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'].every(
    (input) => newest(join(root, input)) < built,
  )
}

function buildKernels() {
  const asc = join(dirname(require.resolve('assemblyscript/package.json')), 'bin', 'asc.js')
  for (const { source, target } of kernels) {
    mkdirSync(dirname(join(root, target)), { recursive: true })
    run(process.execPath, [
      asc,
      source,
      '-O3',
      '--enable',
      'simd',
      '--runtime',
      'stub',
      '--importMemory',
      '--noAssert',
      '-o',
      target,
    ])
  }
}

/** Entries of the hook: what is always loaded, what only a recall in the hook's own process needs, and what settings are made out with. */
const HOOK_BUNDLES = {
  hook: 'cli/hook-entry.js',
  'hook-recall': 'open-recall.js',
  'hook-settings': 'cli/resolve-hook-settings.js',
}

/** Modules of a store that no recall uses: the hook goes without them. They export functions and classes only. */
const LEFT_OUT =
  /\/store\/sqlite\/(?:write-session|documents|forget|cues|check-store|repair-store|sqlite-archive|vitals)\.js$/
/** What a recall seldom uses: it runs then. */
const RUN_WHEN_USED = /\/text\/fact-difference\.js$/

/**
 * The hook of an agent host in a few files of CommonJS: a host waits for it at every prompt, and they load several times faster than
 * a hundred modules.
 */
async function bundleHook(rolldown) {
  const plugins = [
    inPlaceOf(LEFT_OUT, leaveOut),
    inPlaceOf(RUN_WHEN_USED, forward),
    loadWhenUsed('node:crypto', await import('node:crypto')),
    await holdIndexVersion(),
    makeLater(),
  ]
  const others = Object.entries(HOOK_BUNDLES).map(([name, entry]) => ({ name, entry: basename(entry, '.js') }))
  for (const [name, entry] of Object.entries(HOOK_BUNDLES)) {
    const outside = others.filter((other) => name === 'hook' && other.name !== name)
    const bundle = await rolldown({
      input: join(fresh, entry),
      platform: 'node',
      external: (id) => id.startsWith('@photostructure/') || outside.some((other) => id.includes(other.entry)),
      plugins: name === 'hook-settings' ? [] : plugins,
      logLevel: 'warn',
    })
    const paths = (id) => outside.map((other) => id.includes(other.entry) && `./${other.name}.cjs`).find(Boolean) || id
    const output = { format: 'cjs', codeSplitting: false, minify: true, dynamicImportInCjs: false, paths }
    const file = join(fresh, 'cli', `${name}.cjs`)
    await bundle.write({ file, ...output })
    const code = toAscii(readFileSync(file, 'utf8'))
    writeFileSync(file, name === 'hook-recall' ? `${WRAPPER[0]}${code}${WRAPPER[1]}` : code)
  }
}

/** As the runtime wraps a module, done here so that a process need not copy it: src/host/claude-code/load-recall.ts calls it. */
const WRAPPER = ['(function (exports, require, module, __filename, __dirname) {', '\n})']

/** Text that is read in one go, a byte a character; in minified code all other characters stand in literals, which take escapes. */
function toAscii(code) {
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Other functions in the place of those that modules export. */
function inPlaceOf(modules, write) {
  const mark = `?${write.name}`
  return {
    name: write.name,
    resolveId: {
      order: 'pre',
      async handler(source, importer, options) {
        if (importer === undefined || importer.includes('?') || modules.test(importer.replaceAll('\\', '/')))
          return null
        const found = await this.resolve(source, importer, { ...options, skipSelf: true })
        return found && modules.test(found.id.replaceAll('\\', '/')) ? `${found.id}${mark}` : null
      },
    },
    load(id) {
      if (!id.endsWith(mark)) return null
      const file = id.slice(0, -mark.length)
      const exported = [...readFileSync(file, 'utf8').matchAll(/^export (?:async )?(\w+)\*? (\w+)/gm)]
      const value = exported.find(([, kind]) => kind !== 'function' && kind !== 'class')
      if (value) throw new Error(`${file} exports ${value[2]}, which is neither a function nor a class`)
      return {
        code: exported.map(([, , name]) => write(name, `require(${JSON.stringify(file)})`)).join('\n'),
        moduleType: 'js',
      }
    },
  }
}

/** The functions of a module of Node's, which is loaded when one of them is called for the first time. */
function loadWhenUsed(module, exports) {
  const names = Object.keys(exports).filter((name) => typeof exports[name] === 'function' && name !== 'default')
  return {
    name: 'load-when-used',
    resolveId: { order: 'pre', handler: (source) => (source === module ? `\0${module}` : null) },
    load: (id) =>
      id === `\0${module}`
        ? names.map((name) => forward(name, `process.getBuiltinModule('${module}')`)).join('\n')
        : null,
  }
}

/** Finds the function when it is called for the first time. */
const forward = (name, module) =>
  `export function ${name}(...given) { const to = ${module}.${name}; return new.target ? new to(...given) : to(...given) }`

const leaveOut = (name) => `export function ${name}() { throw new Error('A hook has no ${name}') }`

/** Nothing but another build can make texts into other terms: the hook need not find out. */
async function holdIndexVersion() {
  const place = join('store', 'keyword-index', 'index-version.js')
  const { indexVersion } = await import(pathToFileURL(join(fresh, place)).href)
  const code = `export function indexVersion() { return ${JSON.stringify(indexVersion())} }`
  return { name: 'hold-index-version', load: (id) => (id.endsWith(place) ? code : null) }
}

/** Packages that every command needs: they go into its files. All others stay where they are, most of them for some commands only. */
const ALWAYS_NEEDED = /^(?:commander|ignore|picocolors|stemmer|yaml|@lezer\/\w+)$/

/**
 * The command line, and what a host runs in the background, in a few files, what only some commands need in files of its own: to find and read its modules one by one takes
 * several times as long as most commands do.
 */
async function bundleCli(rolldown) {
  const folder = join(fresh, 'cli', 'bundle')
  const bundle = await rolldown({
    input: [join(fresh, 'cli', 'start-cli.js'), join(fresh, 'host', 'openclaw', 'index-process.js')],
    platform: 'node',
    external: (id) => !/^[./]|^\w:/.test(id) && !ALWAYS_NEEDED.test(id),
    plugins: [{ name: 'own-places', transform: keepOwnPlace(folder) }],
    logLevel: 'warn',
  })
  await bundle.write({
    dir: folder,
    format: 'esm',
    minify: true,
    // The largest is named after the folder, which is called after this process.
    chunkFileNames: ({ name }) => `${name.replace(/^dist\.\d+$/, 'engine')}.js`,
  })
}

/** What lies beside a module (kernels, threads, other processes) is found from where the module was. */
function keepOwnPlace(folder) {
  return (code, id) => {
    if (!code.includes('import.meta.url')) return null
    const place = relative(folder, id).replaceAll('\\', '/')
    return code.replaceAll('import.meta.url', `new URL(${JSON.stringify(place)}, import.meta.url).href`)
  }
}

if (flags.has('--if-stale') && isFresh()) process.exit(0)
buildKernels()
if (!flags.has('--wasm-only')) {
  const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc')
  try {
    run(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--outDir', fresh])
    for (const file of [...kernels.map(({ target }) => target), 'src/embedding/bundled/token-basis.bin']) {
      copyFileSync(join(root, file), join(fresh, file.replace(/^src\//, '')))
    }
    const fromVite = createRequire(require.resolve('vite/package.json'))
    const { rolldown } = await import(pathToFileURL(fromVite.resolve('rolldown')).href)
    await bundleHook(rolldown)
    await bundleCli(rolldown)
    const bin = join(fresh, 'cli', 'main.js')
    if (existsSync(bin)) chmodSync(bin, 0o755)
    writeFileSync(join(fresh, '.built'), '')
    utimesSync(join(fresh, '.built'), startedAt, startedAt)
    putInPlace()
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}

/** A file that was edited during the build makes it stale. */
function putInPlace() {
  const old = `${fresh}.old`
  if (existsSync(dist)) renameSync(dist, old)
  renameSync(fresh, dist)
  rmSync(old, { recursive: true, force: true })
}
