import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runCli } from '../run-cli.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'madeleine-last-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

async function run(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const code = await runCli([...args, '--tz', 'Europe/Zurich'], {
    env: { MADELEINE_EMBEDDING: 'none', MADELEINE_RECALL_DEADLINE_MS: '60000', ...env },
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

/** A recall at 9 o'clock in summer, some minutes later in the next one. */
async function recallAt(minute: number, prompt: string, flags: readonly string[] = []): Promise<void> {
  const now = `2026-07-20T07:0${minute}:00Z`
  expect((await run(['recall', prompt, '--now', now, ...flags])).code).toBe(0)
}

describe('madeleine recall --last', () => {
  it('shows in the zone of the user what was in, what was out and why, the newest first', async () => {
    await run(['remember', 'The sluice gate opens at dawn, and closes at four.'])
    await run(['remember', 'The gate of the garden was painted green.'])
    await recallAt(1, 'when does the sluice gate open at dawn?', ['--session', 's-1'])
    await recallAt(2, 'thanks!')
    await recallAt(3, 'what does the tax office say about deductions for horses?')
    const { code, out } = await run(['recall', '--last'])
    expect(code).toBe(0)
    const turns = out.trimEnd().split('\n\n')
    expect(turns).toHaveLength(3)
    expect(turns[0]).toMatch(
      /^2026-07-20 09:03 {2}what does the tax office say about deductions for horses\?\n {2}\d+ ms\n {2}silent: nothing matches$/,
    )
    expect(turns[1]).toMatch(/^2026-07-20 09:02 {2}thanks!\n {2}\d+ ms\n {2}silent without looking: acknowledgement/)
    expect(turns[2]).toMatch(/^2026-07-20 09:01 {2}when does the sluice gate open at dawn\?\n {2}session s-1, \d+ ms\n/)
    expect(turns[2]).toMatch(/^ {2}\d\.\d\d {2}remembered\/\S+:1 {2}in$/m)
    expect(turns[2]).toMatch(/^ {2}\d\.\d\d {2}remembered\/\S+:1 {2}out: not relevant enough$/m)
    expect(turns[2]).not.toContain('silent')
  })

  it('shows as many as were asked for, and all of them with --json', async () => {
    await recallAt(1, 'when does the sluice gate open?')
    await recallAt(2, 'and when does it close?')
    expect((await run(['recall', '--last', '1'])).out).toContain('and when does it close?')
    expect((await run(['recall', '--last', '1'])).out).not.toContain('when does the sluice gate open?')
    const { out } = await run(['recall', '--last', '--json'])
    expect(JSON.parse(out)).toMatchObject({
      turns: [
        { at: '2026-07-20T07:02:00.000Z', prompt: 'and when does it close?', considered: [], degraded: [] },
        { at: '2026-07-20T07:01:00.000Z', prompt: 'when does the sluice gate open?' },
      ],
    })
  })

  it('is no recall itself, and says when none is kept', async () => {
    expect(await run(['recall', '--last'])).toMatchObject({ code: 0, out: 'No recall is kept yet.\n' })
    expect(JSON.parse((await run(['recall', '--last', '--json'])).out)).toEqual({ turns: [] })
  })

  it('shows an agent its own, and a project what was asked there', async () => {
    await recallAt(1, 'when does the sluice gate open?', ['--agent', 'a1', '--project', home])
    await recallAt(2, 'when does the harbour close?', ['--agent', 'a2'])
    const prompts = async (...flags: string[]) =>
      JSON.parse((await run(['recall', '--last', ...flags, '--json'])).out).turns.map(
        ({ prompt }: { prompt: string }) => prompt,
      )
    expect(await prompts()).toEqual(['when does the harbour close?', 'when does the sluice gate open?'])
    expect(await prompts('--agent', 'a1')).toEqual(['when does the sluice gate open?'])
    expect(await prompts('--project', home)).toEqual(['when does the sluice gate open?'])
  })

  it('says what a turn went without', async () => {
    await run(['remember', 'The sluice gate opens at dawn, and closes at four.'])
    // Nothing has been embedded with this model yet, so it is not even asked.
    await run(['recall', 'when does the sluice gate open?'], { MADELEINE_EMBEDDING: 'ollama:any' })
    const { out } = await run(['recall', '--last'])
    expect(out).toMatch(/^ {2}without vector: 1 memories wait for their vectors: run "madeleine index"$/m)
  })

  it('does not mix with asking', async () => {
    for (const flags of [['--explain'], ['--session', 's-1'], ['--event', '-']]) {
      expect(await run(['recall', '--last', ...flags])).toMatchObject({ code: 2, out: '' })
    }
    expect((await run(['recall', 'gate', '--last'])).code).toBe(2)
    expect((await run(['recall', '--last', 'many'])).err).toContain('a whole number')
  })
})
