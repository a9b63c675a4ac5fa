import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tomlTexts as texts } from '../../../../test/wire/config-texts.ts'
import { putTable, readTable, removeTable, showTable } from './edit-toml.ts'
import { parseToml, quoteToml } from './parse-toml.ts'

const table = {
  path: ['mcp_servers', 'madeleine'],
  values: { command: '/usr/bin/node', args: ['C:\\x "y"\\main.js', 'mcp'] },
  remark: 'ours',
}

describe('a TOML text', () => {
  it('is read, gets our table, and is given back as it was', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const wired = putTable(text, table)
        expect(wired.startsWith(text)).toBe(true)
        expect(readTable(wired, table.path)).toEqual(table.values)
        expect(putTable(wired, table)).toBe(wired)
        const others = (some: string) => parseToml(some).filter(({ path }) => path[1] !== 'madeleine')
        expect(others(wired).map(({ path }) => path)).toEqual(parseToml(text).map(({ path }) => path))
        expect(removeTable(wired, table)).toBe(text)
      }),
    )
  })

  it('may go on behind our table, and loses what belongs to it and nothing else', () => {
    const wired = `${putTable('a = 1\n', table)}\n[mcp_servers.madeleine.env]\nX = "y"\n\n# theirs\n[later]\nz = 1\n`
    expect(removeTable(wired, table)).toBe('a = 1\n\n# theirs\n[later]\nz = 1\n')
  })

  it('keeps what its user has added to our table', () => {
    const moved = { ...table, values: { ...table.values, command: '/new/node' } }
    const own = putTable('', table).replace('args', 'startup_timeout_sec = 20 # slow\nargs')
    expect(putTable(own, moved)).toBe(own.replace('/usr/bin/node', '/new/node'))
    expect(putTable('[mcp_servers.madeleine]\nenabled = true', table)).toContain('[mcp_servers.madeleine]\nargs = ')
  })

  it('finds our table in every form', () => {
    for (const text of [
      'mcp_servers.madeleine.command = "x"',
      'mcp_servers.madeleine = { command = "x" }',
      'mcp_servers = { madeleine = { command = "x" } }',
      '[mcp_servers]\nmadeleine.command = "x"',
      '["mcp_servers"."madeleine"]\n"command" = \'x\'',
    ]) {
      expect(readTable(text, table.path)).toEqual({ command: 'x' })
    }
  })

  it('is refused in forms that no table can be added to, with the lines to put in', () => {
    const text = '\nmcp_servers = {}'
    expect(() => putTable(text, table)).toThrow(
      expect.objectContaining({ line: 2, remedy: expect.stringContaining(showTable(table)) }),
    )
    expect(() => putTable('[[mcp_servers]]', table)).toThrow('mcp_servers')
  })

  it.each([
    ['a = 1\nb =', 2],
    ['a = 1 b = 2', 1],
    ['[a\nb = 1', 1],
    ['a = "x\n"', 1],
    ['a = [1\nb = 2', 2],
    ['a = 1\n\na = 2', 3],
    ['[a]\n[a]', 2],
    ['a = nope', 1],
    ['a = "\\q"', 1],
    ['a = """x', 1],
    ['= 1', 1],
    [`a = ${'['.repeat(5000)}`, 1],
  ])('says in which line %j goes wrong', (text, line) => {
    expect(() => parseToml(text)).toThrow(expect.objectContaining({ line }))
  })

  it('gives texts back as they are meant', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(parseToml(`a = ${quoteToml(text)}`)[0]?.value).toBe(text)
      }),
    )
    expect(parseToml('a = """\\\n   x\\u00e9 """""')[0]?.value).toContain('xé')
  })

  it('never throws anything but what is wrong in which line', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'[]{}=,"\'\\#a1.- \n') }), (text) => {
        try {
          parseToml(text)
        } catch (error) {
          expect(error).toHaveProperty('line')
        }
      }),
    )
  })
})
