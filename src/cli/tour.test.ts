import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runTour } from './tour.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'madeleine-tour-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

async function tour(...args: string[]) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const code = await runTour(args, {
    // A project of the user's own would hide the sample, did it count here.
    env: { MADELEINE_EMBEDDING: 'none', MADELEINE_PROJECT: '/nowhere' },
    home,
    cwd: home,
    platform: 'linux',
    stdin: Readable.from([]),
    stdout,
    stderr,
  })
  const textOf = (stream: PassThrough): string => (stream.read() as Buffer | null)?.toString('utf8') ?? ''
  return { code, out: textOf(stdout), err: textOf(stderr) }
}

/** What was said to each of the numbered prompts. */
function answersOf(out: string): string[] {
  return out.split(/^\d {2}“/m).slice(1)
}

describe('npm start', () => {
  it('shows the sample where there is nothing else: two prompts answered from the past, one rightly not', async () => {
    const { code, out, err } = await tour()
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const [first = '', second = '', third = ''] = answersOf(out)
    expect(first).toMatch(/injected.*[\s\S]*memory\/2026-04-09\.md/)
    expect(second).toMatch(/injected.*[\s\S]*memory\/2026-06-16\.md[\s\S]*59 euros/)
    expect(third).toMatch(/silent \(\d+ ms\)/)
    expect(out).toMatch(/Next\n {2}npx madeleine init/)
  })

  it('keeps its store apart from that of the user', async () => {
    await tour('--sample')
    expect(existsSync(join(home, '.cache/madeleine/sample.sqlite'))).toBe(true)
    expect(existsSync(join(home, '.local'))).toBe(false)
  })

  it('takes the data of the user where there is some, and prompts from it', async () => {
    const notes = join(home, '.openclaw/workspace/memory')
    mkdirSync(notes, { recursive: true })
    for (const [name, text] of [
      [
        'valve',
        '# Garden\n\n## Leaking valve behind the greenhouse\n\nThe east valve leaks since the frost; a new seal is ordered.\n',
      ],
      ['paint', '# House\n\n## Paint\n\nThe shed is painted in heron grey.\n'],
      ['boat', '# Boat\n\n## Winch\n\nThe kite winch runs on 12 V.\n'],
    ] as const) {
      writeFileSync(join(notes, `${name}.md`), text)
    }
    const { code, out } = await tour()
    expect(code).toBe(0)
    expect(out).toContain('Your own notes and sessions, of each folder the newest 200 transcripts.')
    expect(out).toMatch(/“What did we say about Leaking valve behind the greenhouse\?”/)
    expect((await tour('--sample')).out).toContain('The sample')
  })

  it('refuses what it does not know', async () => {
    const { code, err } = await tour('--smaple')
    expect(code).toBe(2)
    expect(err).toContain('Did you mean --sample?')
    expect((await tour('--help')).out).toContain('--sample')
  })
})
