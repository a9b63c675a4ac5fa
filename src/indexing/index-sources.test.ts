import { describe, expect, it } from 'vitest'
import type { MarkdownDocument } from '../model/document.ts'
import type { Source, SourceEntry } from '../source/source.ts'
import { createInMemoryStore } from '../store/memory/in-memory-store.ts'
import { indexSources } from './index-sources.ts'

const clock = (): Date => new Date('2026-03-01T12:00:00Z')
const SCOPE = { tenant: 'local', agent: 'main', project: '', visibility: 'private' } as const

/** A source of notes of one sentence; reading those of these names fails. */
function sourceOf(names: readonly string[], failures: Record<string, Error>): Source {
  const toEntry = (path: string): SourceEntry => {
    return { path, absolutePath: `/notes/${path}`, bytes: 10, modifiedMs: 0, fingerprint: `of ${path}` }
  }
  const toNote = (path: string): MarkdownDocument => ({
    ...{ form: 'markdown', root: '/notes', path, category: 'memory', scope: SCOPE, contentHash: path, title: path },
    ...{ text: `The note says ${path}.`, tier: 'semantic', importance: 0.5, trust: 'owner' },
  })
  return {
    kind: 'markdown',
    root: '/notes',
    async *list() {
      yield* names.map(toEntry)
    },
    async read({ path }) {
      const failure = failures[path]
      if (failure) throw failure
      return { document: toNote(path), problems: [] }
    },
  }
}

describe('an error of the program while a file is read', () => {
  it('is told as one, and keeps no other file from being indexed', async () => {
    const store = createInMemoryStore({ clock })
    const error = new TypeError('cannot read properties of undefined')
    const sources = [sourceOf(['a.md', 'b.md', 'c.md'], { 'b.md': error })]
    const report = await indexSources(store, { sources, clock, timeZone: 'UTC' })
    expect(report.failure).toMatchObject({ message: expect.stringContaining('b.md'), cause: error })
    expect(report.problems).toEqual([{ path: 'b.md', reason: `unexpected error: ${error.message}`, failed: true }])
    expect((await store.listDocuments()).map(({ path }) => path)).toEqual(['a.md', 'c.md'])
  })

  it('of the store is no problem of the file', async () => {
    const store = createInMemoryStore({ clock })
    await store.close()
    const run = indexSources(store, { sources: [sourceOf(['a.md'], {})], clock, timeZone: 'UTC' })
    await expect(run).rejects.toMatchObject({ code: 'STORE_UNUSABLE' })
  })
})
