import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire, wrap } from 'node:module'
import { dirname, join } from 'node:path'
import { Script } from 'node:vm'
import { makeFolder } from '../../files/make-folder.ts'

export type Recall = typeof import('../../open-recall.ts')

export interface RecallBundle {
  /** The recall as one file of CommonJS, as the build makes it. */
  file: string
  /** Where compiled code is kept; it can be made again at any time. */
  cacheFolder: string
}

export interface LoadedRecall {
  recall: Recall
  /** Keeps the code that was compiled, unless it is kept already. `hasRecalled`: that of a whole recall is among it. */
  keepCode(hasRecalled: boolean): void
}

/** Compiled code of one bundle for one runtime. */
interface KeptCode {
  file: string
  data: Buffer | undefined
  /** A whole recall had been compiled when it was kept. */
  isFull: boolean
}

const DIGEST_BYTES = 20
const PREFIX = 'recall-'
const SUFFIX = '.code'

/**
 * Loads what a recall in this process needs, with code that an earlier process compiled: compiling is most of what a short process does
 * (of 400 ms of CPU time 150, on a slow machine). Kept code is for exactly this bundle and runtime; where it is not there or not whole,
 * the bundle is compiled anew. Without a bundle the modules are loaded as they are.
 */
export async function loadRecall({ file, cacheFolder }: RecallBundle): Promise<LoadedRecall> {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false })
  if (!found) return { recall: await import('../../open-recall.ts'), keepCode: () => undefined }
  const source = readFileSync(file, 'utf8')
  const kept = readKeptCode(cacheFolder, [file, found.ino, found.size, found.mtimeNs, found.ctimeNs].join('\0'))
  const script = new Script(wrap(source), { filename: file, ...(kept.data && { cachedData: kept.data }) })
  const isUsed = kept.data !== undefined && script.cachedDataRejected !== true
  const loaded = { exports: {} as Recall }
  script.runInThisContext()(loaded.exports, createRequire(file), loaded, file, dirname(file))
  return {
    recall: loaded.exports,
    keepCode(hasRecalled) {
      if (isUsed && (kept.isFull || !hasRecalled)) return
      keepCode(cacheFolder, { file: kept.file, data: script.createCachedData(), isFull: hasRecalled })
    },
  }
}

/**
 * V8 itself compares only the length of the source, so the name has to tell of which state of the file it is, and the digest whether
 * it is whole. To hash the source each time would take longer than all the rest of loading it.
 */
function readKeptCode(folder: string, state: string): KeptCode {
  const of = digest(Buffer.from(`${process.version} ${process.arch} ${state}`)).toString('hex')
  const file = join(folder, `${PREFIX}${of}${SUFFIX}`)
  try {
    const bytes = readFileSync(file)
    const body = bytes.subarray(DIGEST_BYTES)
    const isWhole = digest(body).equals(bytes.subarray(0, DIGEST_BYTES))
    return { file, data: isWhole ? body.subarray(1) : undefined, isFull: body[0] === 1 }
  } catch {
    // Nothing kept yet.
    return { file, data: undefined, isFull: false }
  }
}

function keepCode(folder: string, { file, data = Buffer.alloc(0), isFull }: KeptCode): void {
  try {
    makeFolder(folder)
    const body = Buffer.concat([Buffer.from([isFull ? 1 : 0]), data])
    const part = `${file}.${process.pid}`
    writeFileSync(part, Buffer.concat([digest(body), body]), { mode: 0o600 })
    renameSync(part, file)
    for (const name of readdirSync(folder)) {
      const isOld = name.startsWith(PREFIX) && name.endsWith(SUFFIX) && join(folder, name) !== file
      if (isOld) rmSync(join(folder, name), { force: true })
    }
  } catch {
    // A cache that cannot be written costs time and nothing else.
  }
}

function digest(bytes: Buffer): Buffer {
  return createHash('sha1').update(bytes).digest()
}
