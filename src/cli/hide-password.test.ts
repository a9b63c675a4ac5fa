import { describe, expect, it } from 'vitest'
import { hidePassword } from './hide-password.ts'

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
