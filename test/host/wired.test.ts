import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { runCli } from '../../src/cli/run-cli.ts'
import { useBuiltProgram } from '../built-program.ts'

// Each test starts processes, and a busy machine takes seconds for each.
vi.setConfig({ testTimeout: 120_000 })

useBuiltProgram()

let home: string
beforeEach(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'madeleine-wired-')))
  const folder = join(home, 'my config')
  mkdirSync(join(home, 'notes'))
  mkdirSync(folder)
  writeFileSync(join(home, 'notes', 'pump.md'), '# Pump\n\nThe sluice pump at the weir is driven by relay K7.\n')
  const settings = ['workspaces: [../notes]', 'store: ./store.sqlite', 'embedding: none', 'warm: false']
  writeFileSync(join(folder, 'config.yaml'), `${settings.join('\n')}\nrecall: { deadlineMs: 60000 }\n`)
  await run('index')
  await run('init', '--wire', 'cursor', 'claude-code')
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

/** A command line with a configuration in a place where no host would look. */
async function run(...args: string[]): Promise<void> {
  const streams = { stdin: Readable.from([]), stdout: new PassThrough(), stderr: new PassThrough() }
  const line = [...args, '--config', join(home, 'my config', 'config.yaml')]
  expect(await runCli(line, { env: {}, home, cwd: home, platform: process.platform, ...streams })).toBe(0)
}

/** What a host that was not started from a shell gives its programs: no PATH, no variables of ours. */
const bare = (): Record<string, string> => ({ HOME: home })
const readJson = (...path: string[]) => JSON.parse(readFileSync(join(home, ...path), 'utf8'))

describe.skipIf(process.platform === 'win32')('what was wired works without its user’s shell', () => {
  it('as a server', async () => {
    const { command, args } = readJson('.cursor', 'mcp.json').mcpServers.madeleine
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(new StdioClientTransport({ command, args, env: bare(), cwd: '/', stderr: 'ignore' }))
    const query = 'which relay drives the sluice pump?'
    const answer = await client.callTool({ name: 'memory_search', arguments: { query } })
    await client.close()
    expect(JSON.stringify(answer)).toContain('relay K7')
  })

  it('as a hook', async () => {
    const [{ hooks }] = readJson('.claude', 'settings.json').hooks.UserPromptSubmit
    const child = spawn('/bin/sh', ['-c', hooks[0].command], { cwd: join(home, 'notes'), env: bare() })
    let out = ''
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      out += part
    })
    const prompt = 'which relay drives the sluice pump at the weir?'
    const event = { hook_event_name: 'UserPromptSubmit', session_id: 's', cwd: join(home, 'notes'), prompt }
    child.stdin.end(JSON.stringify(event))
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0)
    expect(out).toContain('relay K7')
  })
})
