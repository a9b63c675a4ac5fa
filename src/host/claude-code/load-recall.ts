import {
  type BigIntStats,
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Script } from 'node:vm'
import { makeFolder } from '../../files/make-folder.ts'
import { HOOK_CODE_ROUNDS, HOOK_KEPT_CODES } from '../host-options.ts'

export type Recall = typeof import('../../open-recall.ts')

export interface RecallBundle {
  /** The recall as one file, as the build makes it: the function that a module of CommonJS is wrapped in. */
  file: string
  /** Where compiled code is kept; it can be made again at any time. */
  cacheFolder: string
}

export interface LoadedRecall {
  recall: Recall
  /** Keeps the code that was compiled, unless enough of it is kept. `hasSpoken`: that of a recall that found something is among it. */
  keepCode(hasSpoken: boolean): void
}

/** Compiled code of one bundle for one runtime. */
interface KeptCode {
  file: string
  data: Buffer | undefined
  /** Recalls that found something and whose code is in it: each prompt runs a little that none before it did. */
  rounds: number
}

/** Rounds and checksum before the code. */
const HEAD_BYTES = 8
/** One word of each so many bytes goes into the checksum: whole blocks are what a broken write leaves out. */
const SAMPLED_BYTES = 4096
/** Characters of the flags that go into a file's name. */
const MAX_FLAGS = 80
const PREFIX = 'recall-'
const SUFFIX = '.code'

/**
 * Loads what a recall in this process needs, with code that an earlier process compiled: compiling is most of what a short process
 * does. Kept code is for exactly this bundle and runtime; where it is not there or not whole, the bundle is compiled anew. Without a
 * bundle the modules are loaded as they are.
 */
export async function loadRecall({ file, cacheFolder }: RecallBundle): Promise<LoadedRecall> {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false })
  if (!found) return { recall: await import('../../open-recall.ts'), keepCode: () => undefined }
  // The build escapes all other characters: a string of bytes takes a fraction of the time.
  const source = readFileSync(file, 'latin1')
  const kept = readKeptCode(cacheFolder, nameOf(found))
  const script = new Script(source, { filename: file, ...(kept.data && { cachedData: kept.data }) })
  const isUsed = kept.data !== undefined && script.cachedDataRejected !== true
  const loaded = { exports: {} as Recall }
  script.runInThisContext()(loaded.exports, createRequire(file), loaded, file, dirname(file))
  return {
    recall: loaded.exports,
    keepCode(hasSpoken) {
      if (isUsed && (kept.rounds >= HOOK_CODE_ROUNDS || !hasSpoken)) return
      const rounds = (isUsed ? kept.rounds : 0) + (hasSpoken ? 1 : 0)
      keepCode(cacheFolder, { file: kept.file, data: script.createCachedData(), rounds })
    },
  }
}

/** Code that was compiled with other flags of the runtime is of no use. */
function nameOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  const flags = process.execArgv.join('').replaceAll(/[^\w-]+/g, '')
  const parts = [process.version, process.arch, dev, ino, size, mtimeNs, ctimeNs, flags.slice(0, MAX_FLAGS)]
  return `${PREFIX}${parts.join('_')}${SUFFIX}`
}

/**
 * V8 itself compares only the length of the source, so the name has to tell of which state of the file it is, and a checksum whether
 * it is whole. To hash the source, or all of the code, each time would take longer than all the rest of loading it.
 */
function readKeptCode(folder: string, name: string): KeptCode {
  const file = join(folder, name)
  try {
    const bytes = readFileSync(file)
    const body = bytes.subarray(HEAD_BYTES)
    const isWhole = bytes.readUInt32LE(4) === checksum(body)
    return { file, data: isWhole ? body : undefined, rounds: bytes[0] ?? 0 }
  } catch {
    // Nothing kept yet, or next to nothing.
    return { file, data: undefined, rounds: 0 }
  }
}

function keepCode(folder: string, { file, data = Buffer.alloc(0), rounds }: KeptCode): void {
  try {
    makeFolder(folder)
    const head = Buffer.alloc(HEAD_BYTES)
    head[0] = rounds
    head.writeUInt32LE(checksum(data), 4)
    writeWhole(file, [head, data])
    dropOlder(folder)
  } catch {
    // A cache that cannot be written costs time and nothing else.
  }
}

/** Is on the disk before it has its name. */
function writeWhole(file: string, pieces: readonly Buffer[]): void {
  const part = `${file}.${process.pid}`
  const opened = openSync(part, 'w', 0o600)
  try {
    for (const piece of pieces) for (let at = 0; at < piece.length; ) at += writeSync(opened, piece, at)
    fsyncSync(opened)
  } finally {
    closeSync(opened)
  }
  renameSync(part, file)
}

/** Hosts may run on several versions of Node, each of which has code of its own. */
function dropOlder(folder: string): void {
  const kept = readdirSync(folder)
    .filter((name) => name.startsWith(PREFIX) && name.endsWith(SUFFIX))
    .map((name) => ({
      path: join(folder, name),
      at: statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
    }))
    .sort((a, b) => b.at - a.at)
  for (const { path } of kept.slice(HOOK_KEPT_CODES)) rmSync(path, { force: true })
}

function checksum(bytes: Buffer): number {
  let sum = bytes.length
  for (let at = 0; at + 4 <= bytes.length; at += SAMPLED_BYTES)
    sum = Math.imul(sum ^ bytes.readUInt32LE(at), 0x01000193)
  return sum >>> 0
}
