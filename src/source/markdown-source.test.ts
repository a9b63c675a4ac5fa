import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MadeleineError } from '../errors.ts'
import type { MarkdownDocument, Problem } from '../model/document.ts'
import { createMarkdownSource, type MarkdownSourceOptions } from './markdown-source.ts'
import type { SourceEntry } from './source.ts'

let root: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'madeleine-notes-')))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function write(name: string, content: string | Uint8Array = 'text'): string {
  const file = path.join(root, name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, content)
  return file
}

/** Root may read everything: it lays its power down for the time of the call. */
async function asOrdinaryUser<T>(run: () => Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0) return run()
  chmodSync(root, 0o755)
  process.seteuid?.(65_534)
  try {
    return await run()
  } finally {
    process.seteuid?.(0)
  }
}

const open = (options: Partial<MarkdownSourceOptions> = {}) =>
  createMarkdownSource({ root, tenant: 'local', agent: 'main', ...options })

async function list(
  options: Partial<MarkdownSourceOptions> = {},
): Promise<{ paths: string[]; skipped: Problem[]; entries: SourceEntry[] }> {
  const skipped: Problem[] = []
  const entries: SourceEntry[] = []
  for await (const entry of open(options).list((problem) => skipped.push(problem))) entries.push(entry)
  return { entries, skipped, paths: entries.map((entry) => entry.path).sort() }
}

async function read(name: string, content: string | Uint8Array): Promise<MarkdownDocument> {
  write(name, content)
  const entry = (await list()).entries.find((candidate) => candidate.path === name)
  if (!entry) throw new Error(`${name} is not listed`)
  const result = await open().read(entry)
  if ('skipped' in result || result.document.form !== 'markdown') throw new Error('no note')
  return result.document
}

describe('the list of notes', () => {
  it('holds the core files and all Markdown below, spelled as on disk', async () => {
    const names = [
      'MEMORY.md',
      'memory/2026-01-05.md',
      'skills/tide/SKILL.md',
      'notes/a.markdown',
      'memory/rope list.md',
      'memory/rope-list.md',
      'memory/rope_list.md',
      'memory/🦑.md',
      'memory/cafe\u0301.md',
      'memory/UPPER.MD',
    ]
    for (const name of [...names, 'picture.png', 'data.json', 'no-ending']) write(name)
    const { paths, skipped } = await list()
    expect(paths).toEqual([...names].sort())
    expect(skipped).toEqual([])
  })

  it('leaves out what tools and version control keep, and says which folders', async () => {
    for (const folder of ['.git', 'node_modules/x', 'memory/.venv/lib', 'venv', '.obsidian', 'dist', '__pycache__'])
      write(`${folder}/a.md`)
    write('memory/ok.md')
    write('memory/.hidden.md')
    const { paths, skipped } = await list()
    expect(paths).toEqual(['memory/ok.md'])
    expect(skipped.map(({ path: where }) => where).sort()).toEqual([
      '.obsidian',
      '__pycache__',
      'dist',
      'memory/.hidden.md',
      'memory/.venv',
      'node_modules',
      'venv',
    ])
    expect(skipped.every(({ reason }) => reason !== '')).toBe(true)
  })

  it('obeys ignore files where they stand, and patterns from the configuration', async () => {
    write('.madeleineignore', 'drafts/\n*.tmp.md\n!keep.tmp.md\n')
    write('memory/.madeleineignore', '/private.md\n')
    for (const name of [
      'drafts/a.md',
      'b.tmp.md',
      'keep.tmp.md',
      'private.md',
      'memory/private.md',
      'memory/deep/private.md',
      'work/c.md',
    ])
      write(name)
    const { paths, skipped } = await list({ ignore: ['work/**'] })
    expect(paths).toEqual(['keep.tmp.md', 'memory/deep/private.md', 'private.md'])
    expect(skipped.map(({ path: where }) => where).sort()).toEqual([
      'b.tmp.md',
      'drafts',
      'memory/private.md',
      'work/c.md',
    ])
  })

  it('does not take .gitignore for a rule: private notes are often kept out of Git', async () => {
    write('.gitignore', 'memory/\n')
    write('memory/a.md')
    expect((await list()).paths).toEqual(['memory/a.md'])
  })

  it('follows a link inside the root once, and reports links that lead out or nowhere', async () => {
    const outside = realpathSync(mkdtempSync(path.join(tmpdir(), 'madeleine-outside-')))
    writeFileSync(path.join(outside, 'secret.md'), 'x')
    write('memory/a.md')
    write('.store/hidden/b.md')
    symlinkSync(path.join(root, 'memory'), path.join(root, 'again'))
    symlinkSync(path.join(root, 'memory', 'a.md'), path.join(root, 'a-link.md'))
    symlinkSync(root, path.join(root, 'memory', 'loop'))
    symlinkSync(path.join(root, '.store', 'hidden'), path.join(root, 'shown'))
    symlinkSync(outside, path.join(root, 'out'))
    symlinkSync(path.join(outside, 'secret.md'), path.join(root, 'out.md'))
    symlinkSync(path.join(root, 'gone.md'), path.join(root, 'broken.md'))
    const { paths, skipped } = await list()
    expect(paths).toEqual(['memory/a.md'])
    const reasons = Object.fromEntries(skipped.map(({ path: where, reason }) => [where, reason]))
    expect(reasons.out).toMatch(/leads out of the root/)
    expect(reasons['out.md']).toMatch(/leads out of the root/)
    expect(reasons['broken.md']).toMatch(/leads nowhere/)
    expect(reasons.shown).toMatch(/hidden folder/)
    rmSync(outside, { recursive: true })
  })

  it('shows nothing through a link that a rule hides under its own name', async () => {
    write('.madeleineignore', 'priv/\nopen/draft.md\n')
    write('rules/.madeleineignore', 'diary.md\n')
    for (const name of ['priv/a.md', 'priv/deep/b.md', 'open/draft.md', 'open/c.md', 'rules/diary.md', '.private/d.md'])
      write(name)
    symlinkSync(path.join(root, 'priv'), path.join(root, 'public'))
    symlinkSync(path.join(root, 'priv', 'deep'), path.join(root, 'deep'))
    symlinkSync(path.join(root, 'priv', 'a.md'), path.join(root, 'a.md'))
    symlinkSync(path.join(root, 'open', 'draft.md'), path.join(root, 'draft-link.md'))
    symlinkSync(path.join(root, 'rules', 'diary.md'), path.join(root, 'my-diary.md'))
    symlinkSync(path.join(root, '.private', 'd.md'), path.join(root, 'd.md'))
    expect((await list()).paths).toEqual(['open/c.md'])
    const { paths, skipped } = await list({ pattern: '*.md' })
    expect(paths).toEqual([])
    expect(skipped.map(({ path: where }) => where)).toContain('my-diary.md')
  })

  it('follows a link to a folder that no rule hides, and hides in it what a rule hides', async () => {
    write('deep/notes/.madeleineignore', 'secret.md\n')
    write('deep/notes/b.md')
    write('deep/notes/secret.md')
    symlinkSync(path.join(root, 'deep', 'notes'), path.join(root, 'alias'))
    expect((await list({ pattern: 'alias/*.md' })).paths).toEqual(['alias/b.md'])
  })

  it('lists no pipe, whether it stands there or a link leads to it', async () => {
    write('a.md')
    spawnSync('mkfifo', [path.join(root, 'pipe.md'), path.join(root, 'other')])
    symlinkSync(path.join(root, 'other'), path.join(root, 'link.md'))
    const { paths, skipped } = await list()
    expect(paths).toEqual(['a.md'])
    expect(skipped).toEqual([
      { path: 'pipe.md', reason: expect.stringContaining('no regular file') },
      { path: 'link.md', reason: expect.stringContaining('no regular file') },
    ])
    await expect(list({ file: 'pipe.md' })).rejects.toMatchObject({ code: 'SOURCE_UNREADABLE' })
  })

  it('leaves out a folder whose ignore file it cannot read, as partly done', async () => {
    write('a.md')
    write('b/c.md')
    spawnSync('mkfifo', [path.join(root, 'b', '.madeleineignore')])
    const { paths, skipped } = await list()
    expect(paths).toEqual(['a.md'])
    expect(skipped).toEqual([
      { path: 'b/.madeleineignore', reason: expect.stringContaining('no regular file'), failed: true },
    ])
  })

  it.runIf(process.platform === 'linux')('reports a name that is no UTF-8 as what could not be read', async () => {
    write('a.md')
    writeFileSync(Buffer.concat([Buffer.from(`${root}/caf`), Buffer.from([0xe9]), Buffer.from('.md')]), 'text')
    const { paths, skipped } = await list()
    expect(paths).toEqual(['a.md'])
    expect(skipped).toEqual([
      { path: 'caf\u{fffd}.md', reason: expect.stringContaining('no valid UTF-8'), failed: true },
    ])
  })

  it('says what it hides where names can be listed and files cannot be reached', async () => {
    write('a.md')
    write('half/b.md')
    chmodSync(path.join(root, 'half'), 0o444)
    const told: unknown[] = []
    const found: string[] = []
    await asOrdinaryUser(async () => {
      for await (const entry of open().list((problem, hides) => told.push([problem.failed, hides])))
        found.push(entry.path)
    })
    chmodSync(path.join(root, 'half'), 0o755)
    expect(found).toEqual(['a.md'])
    expect(told).toEqual([[true, 'half/b.md']])
  })

  it('reports a folder that it may not read, and goes on', async () => {
    write('a.md')
    write('locked/b.md')
    chmodSync(path.join(root, 'locked'), 0)
    const { paths, skipped } = await asOrdinaryUser(() => list())
    chmodSync(path.join(root, 'locked'), 0o755)
    expect(paths).toEqual(['a.md'])
    expect(skipped[0]).toMatchObject({ path: 'locked/' })
  })

  it('rejects for a root that is missing or a file, so that nothing is taken for removed', async () => {
    for (const wrong of [path.join(root, 'missing'), write('a.md')]) {
      await expect(list({ root: wrong })).rejects.toMatchObject({ code: 'SOURCE_UNREADABLE' })
    }
  })

  it('gives another fingerprint after any edit, one that keeps size and time too', async () => {
    const file = write('a.md', 'pump A1')
    const time = new Date('2026-01-05T10:00:00Z')
    utimesSync(file, time, time)
    const before = (await list()).entries[0]
    await new Promise((resolve) => setTimeout(resolve, 20))
    writeFileSync(file, 'pump B2')
    utimesSync(file, time, time)
    const after = (await list()).entries[0]
    expect(after).toMatchObject({ bytes: 7, modifiedMs: time.getTime() })
    expect(after?.fingerprint).not.toBe(before?.fingerprint)
  })
})

describe('a note as read', () => {
  it('is what a Windows editor wrote, without its marks, on the same lines', async () => {
    const bytes = Buffer.concat([
      Buffer.from([0xef, 0xbb, 0xbf]),
      Buffer.from('---\r\ntitle: Boiler\r\ntags: [heat]\r\n---\r\n# Boiler\r\nPressure is 1.4 bar.\r\n'),
    ])
    const note = await read('boiler.md', bytes)
    expect(note.title).toBe('Boiler')
    expect(note.text.split('\n')).toEqual(['', '', '', '', '# Boiler', 'Pressure is 1.4 bar.', ''])
  })

  it('has scope, tier, type, importance, trust and hash', async () => {
    const note = await read('memory/topics/tea.md', '---\ntype: preference\nimportance: 8\n---\nNo sugar.')
    expect(note).toMatchObject({
      form: 'markdown',
      root,
      path: 'memory/topics/tea.md',
      category: 'memory',
      scope: { tenant: 'local', agent: 'main', project: root, visibility: 'private' },
      tier: 'semantic',
      type: 'preference',
      importance: 0.8,
      trust: 'owner',
    })
    expect(note.contentHash).toMatch(/^[0-9a-f]{64}$/)
    expect(await read('plain.md', 'x')).not.toHaveProperty('type')
  })

  it('is dated by its name, else by its front matter, else by the file', async () => {
    expect(await read('memory/2026-01-05.md', '---\ndate: 2026-02-02\n---\n')).toMatchObject({
      date: '2026-01-05',
      dateOrigin: 'name',
    })
    expect(await read('memory/trip.md', '---\ndate: 2026-02-02\n---\n')).toMatchObject({
      date: '2026-02-02',
      dateOrigin: 'text',
    })
    const file = write('memory/2026-02-30.md')
    const time = new Date('2026-01-05T10:00:00Z')
    utimesSync(file, time, time)
    const entry = (await list()).entries.find((candidate) => candidate.path === 'memory/2026-02-30.md')
    const result = await open().read(entry as SourceEntry)
    expect(result).toMatchObject({ document: { date: '2026-01-05T10:00:00.000Z', dateOrigin: 'mtime' } })
  })

  it.each([
    ['title: 2025-11-30', '2025-11-30'],
    ['title: 7042', '7042'],
    ['title:', 'note'],
    ['title: [a, b]', 'a, b'],
    ['title: yes', 'yes'],
    ['title: null', 'note'],
  ])('has a title in text for "%s"', async (line, title) => {
    expect((await read('note.md', `---\n${line}\n---\nbody`)).title).toBe(title)
  })

  it('holds no secret, hidden character, blob, NUL or recalled block, and every line stands where it stood', async () => {
    const token = `ghp_${'x'.repeat(36)}`
    const key = `${'-'.repeat(5)}BEGIN PRIVATE KEY${'-'.repeat(5)}\n${'Zm9v'.repeat(16)}\n${'-'.repeat(5)}END PRIVATE KEY${'-'.repeat(5)}`
    const lines = [
      `token ${token}`,
      key,
      '<recalled-context>',
      'MARROW',
      '</recalled-context>',
      `![](data:image/png;base64,${'A'.repeat(999)})`,
      'we\u200bir\u0000gate',
      'last line',
    ]
    const note = await read('mixed.md', lines.join('\n'))
    expect(note.text).not.toMatch(/ghp_|Zm9v|MARROW|A{201}|\u200b|\u0000/)
    expect(note.text).toContain('weirgate')
    expect(note.text.split('\n').indexOf('last line')).toBe(lines.join('\n').split('\n').indexOf('last line'))
  })

  it('says how many secrets and hidden characters it held', async () => {
    write('a.md', `key AKIA${'Q'.repeat(16)} and AKIA${'Z'.repeat(16)}\nlock \u202eevoba\u202c the gate`)
    const result = await open().read((await list()).entries[0] as SourceEntry)
    expect(result).toMatchObject({ omitted: { secrets: 2, 'hidden characters': 2 } })
  })

  it('says that its YAML is broken and is read all the same', async () => {
    write('broken.md', '---\na: [1\n---\nbody')
    const result = await open().read((await list()).entries[0] as SourceEntry)
    expect(result).toMatchObject({
      document: { text: '\n\n\nbody' },
      problems: [],
      omitted: { 'front matter that is not valid YAML, but for its plain lines': 1 },
    })
  })

  it('is skipped with a reason when it is too large or no text', async () => {
    write('large.md', Buffer.alloc(5 * 1024 * 1024 + 1, 97))
    write('picture.md', Buffer.from([0x89, 0x50, 0x4e, 0x47, 1, 2, 3, 0, 0, 0, 0, 0, 0, 0]))
    const results = await Promise.all((await list()).entries.map((entry) => open().read(entry)))
    expect(results).toEqual([
      { skipped: expect.stringMatching(/larger than 5 MB/) },
      { skipped: expect.stringMatching(/binary/) },
    ])
  })

  it('rejects when the file is gone', async () => {
    write('a.md')
    const [entry] = (await list()).entries
    rmSync(path.join(root, 'a.md'))
    const error = await open()
      .read(entry as SourceEntry)
      .catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(MadeleineError)
    expect(error).toMatchObject({ code: 'SOURCE_UNREADABLE' })
  })

  it('belongs to the project that is given, else to the Git root above', async () => {
    mkdirSync(path.join(root, '.git'))
    write('docs/notes/a.md')
    const inside = path.join(root, 'docs', 'notes')
    const source = open({ root: inside })
    for await (const entry of source.list(() => undefined)) {
      expect(await source.read(entry)).toMatchObject({
        document: { root: inside, path: 'a.md', scope: { project: root } },
      })
      expect(await open({ root: inside, project: '/p' }).read(entry)).toMatchObject({
        document: { scope: { project: '/p' } },
      })
    }
  })

  it('comes out the same from the same bytes, whatever they are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        write('any.md', bytes)
        const [entry] = (await list()).entries
        const [first, second] = [await open().read(entry as SourceEntry), await open().read(entry as SourceEntry)]
        expect(second).toEqual(first)
        if ('document' in first && first.document.form === 'markdown')
          expect(first.document.text).not.toMatch(/[\u0000\r]/)
      }),
      { numRuns: 60 },
    )
  })
})
