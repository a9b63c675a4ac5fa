import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { makeContent, makeWrite, OWNER } from '../../testing/memory-store/samples.ts'
import { loadSqlite } from './database.ts'
import { openSqliteStore } from './open-sqlite-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'cues-'))
afterAll(() => rmSync(folder, { recursive: true }))

const query = { kinds: ['task' as const], filter: OWNER, limit: 9 }

describe('cues in a file', () => {
  it('are read anew for all memories, remembered ones too, when another version of the program noted them', async () => {
    const file = join(folder, 'old.db')
    const first = await openSqliteStore({ file, timeZone: 'Europe/Zurich' })
    await first.addRemembered(makeContent({ id: 'gate', text: 'TODO: oil the gate by tomorrow' }), {
      occurredAt: '2026-03-09T23:30:00Z',
    })
    await first.putDocuments([makeWrite('a.md', [{ id: 'shed', text: '- [ ] Paint the shed' }])])
    const noted = await first.listCues(query)
    await first.close()
    const { open } = await loadSqlite()
    const database = open(file, { readOnly: false })
    database.exec("DELETE FROM cue; UPDATE meta SET value = 0 WHERE key = 'cue_version'")
    database.close()
    const second = await openSqliteStore({ file, timeZone: 'Europe/Zurich' })
    expect(await second.listCues(query)).toEqual(noted)
    // 23:30 in UTC is the tenth in Zurich.
    expect(noted.find(({ memoryId }) => memoryId === 'gate')?.dueAt).toBe('2026-03-11T00:00:00+01:00')
    expect(noted).toHaveLength(2)
    await second.close()
  })

  it('are read anew by one of those who open the file, while the others wait for that longer than for any write', async () => {
    const file = join(folder, 'awaited.db')
    const first = await openSqliteStore({ file })
    await first.addRemembered(makeContent({ id: 'gate', text: 'TODO: oil the gate' }), {})
    expect(await first.listCues(query)).toHaveLength(1)
    await first.close()
    const { open } = await loadSqlite()
    const other = open(file, { readOnly: false })
    const current = other.prepare("SELECT value FROM meta WHERE key = 'cue_version'").get()?.value
    other.exec("UPDATE meta SET value = 0 WHERE key = 'cue_version'")
    // Another process is at it, and finds nothing.
    other.exec('BEGIN IMMEDIATE; DELETE FROM cue')
    other.prepare("UPDATE meta SET value = ? WHERE key = 'cue_version'").run(current ?? null)
    const opening = openSqliteStore({ file, busyMs: 20 })
    await setTimeout(500)
    other.exec('COMMIT')
    other.close()
    const second = await opening
    expect(await second.listCues(query)).toEqual([])
    await second.close()
  })

  it('are taken from whoever has read them in the zone of the store, and read here otherwise', async () => {
    const store = await openSqliteStore({ file: join(folder, 'read.db'), timeZone: 'Europe/Zurich' })
    const cues = [{ kind: 'task' as const, text: 'as it was read', subject: [] }]
    const list = async (path: string, cueZone: string, text: string): Promise<string[]> => {
      const write = makeWrite(path, [{ id: path, text }])
      await store.putDocuments([{ ...write, memories: write.memories.map((one) => ({ ...one, cues })), cueZone }])
      return (await store.listCues(query)).filter(({ memoryId }) => memoryId === path).map((cue) => cue.text)
    }
    expect(await list('same.md', 'Europe/Zurich', '- [ ] Paint the shed')).toEqual(['as it was read'])
    expect(await list('other.md', 'UTC', '- [ ] Paint the shed')).toEqual(['Paint the shed'])
    // What is stored differs from what was read.
    expect(await list('cut.md', 'Europe/Zurich', '- [ ] Paint the\0 shed')).toEqual(['Paint the\ufffd shed'])
    await store.close()
  })

  it('leave nothing behind of what was forgotten', async () => {
    const file = join(folder, 'forgotten.db')
    const store = await openSqliteStore({ file })
    await store.addRemembered(makeContent({ id: 'gate', text: 'TODO: oil the gate' }), {})
    await store.forget({ ids: ['gate'] }, new Date(0))
    await store.close()
    const { open } = await loadSqlite()
    const database = open(file, { readOnly: true })
    expect(database.prepare('SELECT count(*) AS n FROM cue').get()).toEqual({ n: 0 })
    database.close()
  })
})
