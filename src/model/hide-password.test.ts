import { describe, expect, it } from 'vitest'
import { dropPassword, hidePassword } from './hide-password.ts'

describe('hidePassword', () => {
  it.each([
    ['postgres://vera:heron@db.example.org/notes', 'postgres://vera:***@db.example.org/notes'],
    [
      'postgres://vera:he@r:on/x@db.example.org:5433/notes?schema=a',
      'postgres://vera:***@db.example.org:5433/notes?schema=a',
    ],
    ['postgres://vera@db/notes?password=heron&schema=a', 'postgres://vera@db/notes?password=***&schema=a'],
    ['postgresql://:heron@db/notes', 'postgresql://:***@db/notes'],
  ])('takes the password out of %s', (given, shown) => {
    expect(hidePassword(given)).toBe(shown)
  })

  it.each([
    'postgres://vera@db.example.org:5432/notes',
    '/home/vera/a:b@c.sqlite',
    'C:\\Users\\vera\\s.sqlite',
    'heron',
  ])('leaves %s as it is', (given) => {
    expect(hidePassword(given)).toBe(given)
  })
})

describe('dropPassword', () => {
  it.each([
    ['postgres://vera:he@r:on@db/notes?schema=a', 'postgres://vera@db/notes?schema=a'],
    ['postgres://vera@db/notes?password=heron&schema=a', 'postgres://vera@db/notes?schema=a'],
    ['/home/vera/a:b@c.sqlite', '/home/vera/a:b@c.sqlite'],
  ])('makes of %s a location that may stand in a file of another program', (given, kept) => {
    expect(dropPassword(given)).toBe(kept)
  })
})
