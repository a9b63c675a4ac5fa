import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PACKAGE = join('node_modules', '@photostructure', 'sqlite')
/** Where a binary stands that was compiled on this machine: it takes the place of the one that came with the package. */
const COMPILED = ['build/Release', 'build/Debug']

/**
 * The binary of `@photostructure/sqlite` that came for this platform, loaded from its place: the package searches folders for it and puts
 * layers over it that no store uses, which takes several times as long. Undefined where it is not as expected: the package knows more ways.
 */
export function loadSqliteBinary(): unknown {
  const file = findBinary()
  if (file === undefined) return undefined
  try {
    const loaded = { exports: {} as unknown }
    process.dlopen(loaded, file)
    return loaded.exports
  } catch {
    // For another C library, or taken away meanwhile: the package says what is wrong.
    return undefined
  }
}

function findBinary(): string | undefined {
  const folder = findPackage(dirname(fileURLToPath(import.meta.url)))
  if (folder === undefined || COMPILED.some((path) => existsSync(join(folder, path)))) return undefined
  const library = existsSync('/etc/alpine-release') ? 'musl' : 'glibc'
  const name = `@photostructure+sqlite.${library}.node`
  const file = join(folder, 'prebuilds', `${process.platform}-${process.arch}`, name)
  return existsSync(file) ? file : undefined
}

/** As modules are found: in the nearest folder upwards that has it. */
function findPackage(from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, PACKAGE))) return join(folder, PACKAGE)
    if (folder === dirname(folder)) return undefined
  }
}
