import { spawn } from 'node:child_process'
import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { describe, expect, it, vi } from 'vitest'
import { HOOK_LOG_BYTES, HOOK_MAX_CHARS } from '../../src/host/host-options.ts'
import { ROOT } from '../built-program.ts'
import { finished, says, until, useClaudeHome } from './claude-code.ts'

// Each test starts processes, and a busy machine takes seconds for each.
vi.setConfig({ testTimeout: 180_000 })
const here = useClaudeHome()

const PROMPT = 'which relay drives the sluice pump at the weir?'
const FACT = 'The sluice pump at the weir is driven by relay K7.'
const ask = (prompt = PROMPT, more: object = {}) => ({ hook_event_name: 'UserPromptSubmit', prompt, ...more })

/** A project whose notes answer PROMPT, indexed. */
async function indexProject(yaml = ''): Promise<void> {
  here.note('memory/pump.md', `# Pump\n\n${FACT}\n`)
  here.config(`workspaces: [${JSON.stringify(here.project)}]\n${yaml}`)
  await here.index()
}

describe('a prompt', () => {
  it('brings what matters to it as a block of data, once in a session', async () => {
    await indexProject()
    expect((await here.run(['index', '--no-embed'])).code).toBe(0)
    const block = await here.inject(ask())
    expect(block).toMatch(/^<recalled-context>\n[\s\S]*relay K7[\s\S]*<\/recalled-context>$/)
    expect(await here.inject(ask())).toBe('')
    expect(await here.inject(ask(PROMPT, { session_id: 's-other' }))).toBe(block)
  })

  it.each([
    ['about nothing that is known', 'please refactor the tokenizer into smaller functions'],
    ['that is an acknowledgement', 'ok, thanks!'],
    ['that is a command', '/compact now'],
    ['that is empty', ''],
  ])('%s brings nothing at all', async (_, prompt) => {
    await indexProject()
    expect((await here.hook(ask(prompt))).out).toBe('')
    expect(here.log()).toBe('')
  })

  it.each(['sdk', 'system', 'loop_wakeup', 'schedule_wakeup', 'poll_event'])(
    'of no person (%s) brings nothing',
    async (source) => {
      await indexProject()
      expect((await here.hook(ask(PROMPT, { source }))).out).toBe('')
      expect(await here.inject(ask(PROMPT, { source: 'user' }))).toContain('relay K7')
    },
  )

  it('is understood with what was said before it, and is no turn before itself', async () => {
    await indexProject()
    const talk = [
      says('user', 'Let us look at the sluice pump of the weir.'),
      says('assistant', 'Yes, the sluice pump.'),
    ]
    const transcript_path = here.transcript('s-now', [...talk, says('user', 'which relay drives it?')])
    appendFileSync(transcript_path, '{"type":"user","mess')
    expect(await here.inject(ask('which relay drives it?', { transcript_path }))).toContain('relay K7')
  })

  it('of another project sees nothing of this one', async () => {
    await indexProject()
    mkdirSync(join(here.home, 'elsewhere', '.git'), { recursive: true })
    expect((await here.hook(ask(PROMPT, { cwd: join(here.home, 'elsewhere') }))).out).toBe('')
  })

  it('loads nothing of the runtime that takes long and that an answer does not need', async () => {
    await indexProject()
    const list = join(here.home, 'loaded.json')
    const probe = join(here.home, 'probe.cjs')
    const write = `require('node:fs').writeFileSync(${JSON.stringify(list)}, JSON.stringify(process.moduleLoadList))`
    writeFileSync(probe, `process.on('exit', () => ${write})`)
    const env = { MADELEINE_WARM: '0', NODE_OPTIONS: `--require "${probe}"` }
    expect(await here.inject(ask(), env)).toContain('relay K7')
    const loaded: string[] = JSON.parse(readFileSync(list, 'utf8'))
    expect(loaded).toContain('NativeModule net')
    expect(
      loaded.filter((name) => /NativeModule (?:crypto|perf_hooks|child_process|worker_threads)$/.test(name)),
    ).toEqual([])
  })

  it('of any length is answered', async () => {
    await indexProject()
    expect(await here.inject(ask(`${PROMPT}\n`.repeat(20_000)))).toContain('relay K7')
  })

  it('never brings more than the host shows', async () => {
    const filler = (n: number): string => `${FACT} ${`Sluice pump weir relay note ${n} `.repeat(20)}`
    for (let n = 0; n < 12; n++) here.note(`memory/pump-${n}.md`, `# Pump ${n}\n\n${filler(n)}\n`)
    await indexProject('recall: {tokenBudget: 100000, threshold: 0}\n')
    const { out } = await here.hook(ask())
    expect(out.length).toBeGreaterThan(0)
    expect(out.length).toBeLessThanOrEqual(HOOK_MAX_CHARS + 1)
  })
})

describe('the beginning of a session', () => {
  const start = (source: string, more: object = {}) => ({ hook_event_name: 'SessionStart', source, ...more })

  it.each(['startup', 'resume', 'clear'])(
    '(%s) tells open points of the project and how its last session ended',
    async (source) => {
      here.note('memory/plan.md', '# Weir\n\n## Plan\n\n- [ ] Replace the float switch of the weir.\n')
      here.transcript('s-old', [
        says('user', 'Please fix the crane brake.', { cwd: here.project }),
        says('assistant', 'The crane brake holds again.', { cwd: here.project }),
      ])
      here.config(
        `workspaces: [${JSON.stringify(here.project)}]\ntranscripts: [${JSON.stringify(join(here.home, '.claude', 'projects'))}]\n`,
      )
      await here.run(['index'])
      const block = await here.inject(start(source))
      expect(block).toMatch(/^<recalled-context>/)
      expect(block).toContain('Replace the float switch')
      expect(block).toContain('The crane brake holds again.')
      // What stands there is not repeated before the first prompt.
      expect((await here.hook(ask('what about the float switch of the weir, must we replace it?'))).out).toBe('')
    },
  )

  it('says nothing where there is nothing to say', async () => {
    await indexProject()
    expect((await here.hook(start('startup'))).out).toBe('')
  })

  it('after a compaction gives back what the session had been given, and that alone', async () => {
    await indexProject()
    expect((await here.hook(start('compact'))).out).toBe('')
    const block = await here.inject(ask())
    expect(await here.inject(start('compact'))).toBe(block)
    expect((await here.hook(start('compact', { session_id: 's-other' }))).out).toBe('')
    // It stands in the session again.
    expect((await here.hook(ask())).out).toBe('')
  })

  it('after a compaction gives back nothing that was forgotten meanwhile', async () => {
    await indexProject()
    await here.inject(ask())
    await here.run(['forget', 'memory/pump.md'])
    expect((await here.hook(start('compact'))).out).toBe('')
  })
})

describe('the end of a turn or a session', () => {
  it.each(['Stop', 'SessionEnd', 'PreCompact'])(
    '(%s) has its transcript indexed, and what is added later too',
    async (name) => {
      const transcript_path = here.transcript('s-now', [
        says('user', 'The otter gate opens with code MARROW.', { cwd: here.project }),
      ])
      expect((await here.hook({ hook_event_name: name, transcript_path })).out).toBe('')
      await until(async () => (await here.search('otter gate code')).length === 1)
      appendFileSync(
        transcript_path,
        `${JSON.stringify(says('assistant', 'Noted: the heron gate has code TEASEL.'))}\n`,
      )
      await here.hook({ hook_event_name: name, transcript_path })
      await until(async () => (await here.search('heron gate')).some(({ snippet }) => snippet.includes('TEASEL')))
      expect(here.log()).toBe('')
    },
  )

  it('without a transcript, or with one that is not there, does nothing', async () => {
    await indexProject()
    await here.hook({ hook_event_name: 'Stop' })
    await here.hook({ hook_event_name: 'SessionEnd', transcript_path: join(here.home, 'no', 'such.jsonl') })
    const { code } = await here.run(['warm', '--once', '--index-transcript', join(here.home, 'no', 'such.jsonl')])
    expect(code).toBe(0)
    expect(here.log()).toBe('')
  })

  it('brings no block that was injected back into the index, in whatever form the host keeps it', async () => {
    await indexProject()
    const block = await here.inject(ask())
    const transcript_path = here.transcript('s-now', [
      says('user', `<system-reminder>\nUserPromptSubmit hook additional context: ${block}\n</system-reminder>`),
      says('user', `${block}\n\nAnd now the crane, please.`),
      { ...says('user', ''), type: 'attachment', attachment: { type: 'hook_additional_context', content: [block] } },
    ])
    expect((await here.run(['warm', '--once', '--index-transcript', transcript_path])).code).toBe(0)
    expect((await here.search('crane please')).map(({ path }) => path)).toContain('sessions/-home-project/s-now.jsonl')
    const found = await here.search('relay K7 sluice pump weir')
    expect(found.map(({ path }) => path)).toEqual(['memory/pump.md'])
  })
})

describe('a hook that cannot answer', () => {
  it.each([
    ['no JSON', '{"hook_event_name":"UserPrompt'],
    ['a list', '[1,2]'],
    ['nothing', ''],
    ['no event', '{"session_id":"s"}'],
    ['bytes', '\u0000\uFFFD\n'],
  ])('because it was given %s exits with 0, prints nothing and says why in its log', async (_, input) => {
    const answer = await here.run(['hook', 'claude-code'], { input })
    expect(answer).toEqual({ code: 0, out: '', err: '' })
    expect(here.log()).toContain('Cannot read the event')
    const { out } = await here.run(['doctor'])
    expect(out).toContain('Cannot read the event')
  })

  it('says so on stderr too when asked to', async () => {
    const { code, out, err } = await here.run(['hook', 'claude-code'], { input: '{', env: { MADELEINE_DEBUG: '1' } })
    expect({ code, out }).toEqual({ code: 0, out: '' })
    expect(err).toContain('it is not JSON')
  })

  it('keeps a log of bounded size, the newest failures in it', async () => {
    mkdirSync(here.data, { recursive: true })
    const line = `${JSON.stringify({ at: '2026-01-01T00:00:00.000Z', event: 'old', reason: 'x'.repeat(300) })}\n`
    writeFileSync(join(here.data, 'hook.log'), line.repeat(Math.ceil(HOOK_LOG_BYTES / line.length) + 10))
    await here.run(['hook', 'claude-code'], { input: '{' })
    expect(here.log().length).toBeLessThanOrEqual(HOOK_LOG_BYTES)
    const lines = here.log().trimEnd().split('\n')
    expect(lines.map((one) => JSON.parse(one).event)).toContain('old')
    expect(JSON.parse(lines.at(-1) ?? '').reason).toContain('it is not JSON')
  })

  it('has nothing to say of events that are not for it', async () => {
    await here.hook({ hook_event_name: 'PostToolUse', tool_name: 'Bash' })
    await here.hook({ hook_event_name: 'SomethingNew' })
    expect(here.log()).toBe('')
  })

  it.each([['hook'], ['hook', 'no-such-host'], ['hook', 'claude-code', '--no-such-flag', 'x']])(
    'exits with 0 after %s %s',
    async (...args) => {
      expect(await here.run(args, { input: JSON.stringify(ask()) })).toEqual({ code: 0, out: '', err: '' })
      expect(here.log()).not.toBe('')
    },
  )

  it('does nothing where the memory itself started what it is the hook of', async () => {
    await indexProject()
    const { out } = await here.hook(ask(), { MADELEINE_CHILD: '1' })
    expect(out).toBe('')
    expect(await here.inject(ask())).toContain('relay K7')
  })

  it('needs neither a configuration nor a store, and makes none for a prompt', async () => {
    expect((await here.hook(ask())).out).toBe('')
    expect(existsSync(join(here.data, 'store.sqlite'))).toBe(false)
    expect(here.log()).toBe('')
  })

  it('leaves a bad configuration to its owner', async () => {
    here.config('worksaces: [~/notes]\n')
    expect((await here.hook(ask())).out).toBe('')
    expect(here.log()).toContain('worksaces')
  })

  it('follows a change of the configuration at once', async () => {
    await indexProject()
    expect(await here.inject(ask())).toContain('relay K7')
    here.config(`workspaces: [${JSON.stringify(here.project)}]\nagent: otter\n`)
    expect((await here.hook(ask(PROMPT, { session_id: 's-2' }))).out).toBe('')
  })
})

describe('a store that cannot be used', () => {
  const store = (): string => join(here.data, 'store.sqlite')

  it('because it is damaged costs the memory and nothing else', async () => {
    await indexProject()
    writeFileSync(store(), Buffer.concat([readFileSync(store()).subarray(0, 100), Buffer.alloc(8192, 7)]))
    const before = readFileSync(store())
    expect((await here.hook(ask())).out).toBe('')
    expect(here.log()).not.toBe('')
    expect(readFileSync(store()).equals(before)).toBe(true)
  })

  it('because a newer program made it is left as it is', async () => {
    await indexProject()
    const database = new DatabaseSync(store())
    database.exec('PRAGMA user_version = 9999')
    database.close()
    expect((await here.hook(ask())).out).toBe('')
    expect(here.log()).toContain('newer')
  })

  it('because it is older is not upgraded while somebody waits', async () => {
    await indexProject()
    const database = new DatabaseSync(store())
    database.exec('PRAGMA user_version = 1')
    database.close()
    expect((await here.hook(ask())).out).toBe('')
    const after = new DatabaseSync(store())
    expect(after.prepare('PRAGMA user_version').get()).toEqual({ user_version: 1 })
    after.close()
  })

  it('because another process writes to it answers all the same', async () => {
    await indexProject()
    const database = new DatabaseSync(store())
    database.exec('BEGIN IMMEDIATE')
    try {
      // It waits for the writer to note what it gave, and then answers without.
      expect(await here.inject(ask(), { MADELEINE_RECALL_DEADLINE_MS: '10000' })).toContain('relay K7')
    } finally {
      database.exec('ROLLBACK')
      database.close()
    }
  })
})

describe('an embedding service', () => {
  it.each(['hangs', 'answers 429', 'breaks off'])('that %s is not even asked by a hook of its own', async (kind) => {
    let asked = 0
    const server = createServer((request, response) => {
      asked += 1
      request.resume()
      if (kind === 'answers 429') response.writeHead(429, { 'retry-after': '60' }).end()
      if (kind === 'breaks off') request.socket.destroy()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    try {
      await indexProject()
      const env = {
        MADELEINE_EMBEDDING: 'ollama:nomic-embed-text',
        MADELEINE_EMBEDDING_BASE_URL: `http://127.0.0.1:${port}`,
      }
      expect(await here.inject(ask(), env)).toContain('relay K7')
      expect(asked).toBe(0)
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })
})

describe('two hooks at once', () => {
  it('both answer', async () => {
    await indexProject()
    const blocks = await Promise.all(
      ['s-1', 's-2', 's-3'].map((session_id) => here.inject(ask(PROMPT, { session_id }))),
    )
    for (const block of blocks) expect(block).toContain('relay K7')
  })
})

describe('the plugin', () => {
  const shell = (command: string, env: NodeJS.ProcessEnv = {}) =>
    finished(
      spawn('sh', ['-c', command], { cwd: here.project, env: here.env(env) }),
      JSON.stringify({ session_id: 's', cwd: here.project, ...ask() }),
    )
  const plugin = join(ROOT, 'plugins', 'claude-code')
  const json = (path: string) => JSON.parse(readFileSync(path, 'utf8'))

  it('is what the host expects of a plugin, a marketplace and a version', () => {
    const { name, version } = json(join(plugin, '.claude-plugin', 'plugin.json'))
    expect({ name, version }).toEqual({ name: 'madeleine', version: json(join(ROOT, 'package.json')).version })
    const marketplace = json(join(plugin, '.claude-plugin', 'marketplace.json'))
    expect(marketplace).toMatchObject({ name: 'madeleine', plugins: [{ name: 'madeleine', source: './' }] })
    expect(json(join(plugin, '.mcp.json')).mcpServers.madeleine).toEqual({ command: 'madeleine', args: ['mcp'] })
    expect(readFileSync(join(plugin, 'skills', 'memory', 'SKILL.md'), 'utf8')).toMatch(
      /^---\nname: memory\ndescription: .{40,}\n---\n/,
    )
    expect(json(join(ROOT, 'package.json')).files).toContain('plugins')
  })

  it('has a hook for every event of the contract, which works where it lies and from a copy in a folder with blanks', async () => {
    await indexProject()
    const { hooks } = json(join(plugin, 'hooks', 'hooks.json'))
    expect(Object.keys(hooks)).toEqual(['UserPromptSubmit', 'SessionStart', 'PreCompact', 'Stop', 'SessionEnd'])
    const { command } = hooks.UserPromptSubmit[0].hooks[0]
    const linked = await shell(command, { CLAUDE_PLUGIN_ROOT: plugin })
    expect(JSON.parse(linked.out).hookSpecificOutput.additionalContext).toContain('relay K7')
    const copy = join(here.home, 'plugin cache', 'madeleine')
    cpSync(plugin, copy, { recursive: true })
    // As npm installs a package for everybody: the command is a link into the package.
    const bin = join(here.home, 'npm prefix', 'bin')
    mkdirSync(bin, { recursive: true })
    symlinkSync(join(ROOT, 'dist', 'cli', 'main.js'), join(bin, 'madeleine'))
    await here.run(['forget', 'memory/none.md'])
    const copied = await finished(
      spawn('sh', ['-c', command], {
        cwd: here.project,
        env: here.env({ CLAUDE_PLUGIN_ROOT: copy, PATH: `${bin}:${process.env.PATH}` }),
      }),
      JSON.stringify({ session_id: 's-copy', cwd: here.project, ...ask() }),
    )
    expect(JSON.parse(copied.out).hookSpecificOutput.additionalContext).toContain('relay K7')
    expect([linked.err, copied.err]).toEqual(['', ''])
  })

  it('is silent where the package is not installed', async () => {
    const copy = join(here.home, 'plugin cache', 'madeleine')
    cpSync(plugin, copy, { recursive: true })
    const command = `${JSON.stringify(process.execPath)} "$CLAUDE_PLUGIN_ROOT/hooks/run-hook.cjs"`
    expect(await shell(command, { CLAUDE_PLUGIN_ROOT: copy, PATH: '/usr/bin:/bin' })).toEqual({
      code: 0,
      out: '',
      err: '',
    })
  })
})
