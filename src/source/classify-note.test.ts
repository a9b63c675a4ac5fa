import { describe, expect, it } from 'vitest'
import { dateInFields, dayInPath, importanceOfNote, tierOfNote, titleOfNote, typeOfNote } from './classify-note.ts'

describe('tierOfNote', () => {
  it.each([
    ['MEMORY.md', 'semantic'],
    ['memory.md', 'semantic'],
    ['USER.md', 'semantic'],
    ['IDENTITY.md', 'semantic'],
    ['SOUL.md', 'semantic'],
    ['README.md', 'semantic'],
    ['memory/topics/shed.md', 'semantic'],
    ['notes/rope.md', 'semantic'],
    ['HEARTBEAT.md', 'episodic'],
    ['DREAMS.md', 'episodic'],
    ['memory/2026-01-05.md', 'episodic'],
    ['memory/2026-01-05-shed.md', 'episodic'],
    ['memory/2026-01-05/notes.md', 'episodic'],
    ['memory/2026-02-30.md', 'semantic'],
    ['AGENTS.md', 'procedural'],
    ['CLAUDE.md', 'procedural'],
    ['sub/CLAUDE.md', 'procedural'],
    ['TOOLS.md', 'procedural'],
    ['BOOT.md', 'procedural'],
    ['BOOTSTRAP.md', 'procedural'],
    ['skills/tide/SKILL.md', 'procedural'],
    ['skills/tide/notes.md', 'procedural'],
    ['runbooks/pump.md', 'procedural'],
    ['notes/how-to/pump.md', 'procedural'],
    ['notes/howto/pump.md', 'procedural'],
    ['playbook/2026-01-05-pump.md', 'procedural'],
    ['procedures/pump.markdown', 'procedural'],
  ] as const)('takes %s for %s', (path, tier) => {
    expect(tierOfNote(path, {})).toBe(tier)
  })

  it('lets front matter decide', () => {
    expect(tierOfNote('AGENTS.md', { tier: 'Episodic' })).toBe('episodic')
    expect(tierOfNote('AGENTS.md', { tier: 'nonsense' })).toBe('procedural')
    expect(tierOfNote('notes/pump.md', { type: 'runbook' })).toBe('procedural')
    expect(tierOfNote('notes/pump.md', { tags: ['water', 'playbook'] })).toBe('procedural')
    expect(tierOfNote('notes/pump.md', { category: 'how-to, water' })).toBe('procedural')
  })
})

describe('typeOfNote', () => {
  it('takes the type that front matter gives, where there is such a type', () => {
    expect(typeOfNote({ type: 'Preference' })).toBe('preference')
    expect(typeOfNote({ type: 'runbook' })).toBeUndefined()
    expect(typeOfNote({})).toBeUndefined()
  })
})

describe('titleOfNote', () => {
  it('makes text of any title, and falls back to the file name', () => {
    expect(titleOfNote('memory/a.md', { title: '2025-11-30' })).toBe('2025-11-30')
    expect(titleOfNote('memory/a.md', { title: ['a', 'b'] })).toBe('a, b')
    expect(titleOfNote('memory/a.md', { title: '' })).toBe('a')
    expect(titleOfNote('memory/a.md', { title: null })).toBe('a')
    expect(titleOfNote('memory/a.md', { title: { x: '1' } })).toBe('a')
    expect(titleOfNote('memory/🦑.md', {})).toBe('🦑')
    expect(titleOfNote('memory/.md', {})).toBe('.md')
  })
})

describe('importanceOfNote', () => {
  it.each([
    ['8', 0.8],
    ['10', 1],
    ['1', 0.1],
    ['1.0', 1],
    ['0.35', 0.35],
    ['25', 1],
    ['high', 0.8],
    ['nonsense', 0.5],
  ])('reads %s as %f', (importance, value) => {
    expect(importanceOfNote({ importance }, '')).toBeCloseTo(value)
  })

  it('reads an annotation above the first line of text, and none below it', () => {
    expect(importanceOfNote({}, '# Pump\n\n<!-- importance: 9 -->\nIt leaks.')).toBeCloseTo(0.9)
    expect(importanceOfNote({}, 'It leaks.\n<!-- importance: 9 -->')).toBe(0.5)
    expect(importanceOfNote({ importance: '3' }, '<!-- importance: 9 -->')).toBeCloseTo(0.3)
  })
})

describe('dayInPath', () => {
  it('finds a day of the calendar in the file name, else in a folder', () => {
    expect(dayInPath('memory/2026-01-05-shed.md')).toBe('2026-01-05')
    expect(dayInPath('memory/trip_2026-01-05.md')).toBe('2026-01-05')
    expect(dayInPath('memory/2026-01-05/shed.md')).toBe('2026-01-05')
    expect(dayInPath('2026-01-04/2026-01-05.md')).toBe('2026-01-05')
    expect(dayInPath('log 2024-02-29.md')).toBe('2024-02-29')
    expect(dayInPath('2026-02-30 moved to 2026-03-02.md')).toBe('2026-03-02')
  })

  it('finds none in impossible days, longer numbers and words', () => {
    for (const name of [
      '2026-02-30.md',
      '2025-02-29.md',
      '2026-13-01.md',
      '2026-00-10.md',
      '2026-01-00.md',
      '12026-01-05.md',
      '2026-01-051.md',
      'v2026-01-05.md',
      '0026-01-05.md',
    ]) {
      expect(dayInPath(name)).toBeUndefined()
    }
  })
})

describe('dateInFields', () => {
  it('keeps a day a day, and an instant its instant', () => {
    expect(dateInFields({ date: '2026-01-05' })).toBe('2026-01-05')
    expect(dateInFields({ created: '2026-01-05 10:00' })).toBe('2026-01-05')
    expect(dateInFields({ date: '2026-01-05T10:00:00+01:00' })).toBe('2026-01-05T09:00:00.000Z')
    expect(dateInFields({ date: '2026-01-05 10:00:00 +01:00' })).toBe('2026-01-05T09:00:00.000Z')
    expect(dateInFields({ date: '2026-02-30' })).toBeUndefined()
    expect(dateInFields({ date: 'soon', day: '2026-01-05' })).toBe('2026-01-05')
    expect(dateInFields({})).toBeUndefined()
  })
})
