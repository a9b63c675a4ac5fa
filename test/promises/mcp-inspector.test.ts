import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { TOOLS } from '../../src/host/mcp/tools.ts'
import { MAIN } from '../built-program.ts'
import { mcpEnvironment } from './mcp-client.ts'
import { useWorkspace } from './workspace.ts'

const here = useWorkspace()

/**
 * Runs with MADELEINE_TEST_INSPECTOR set to a command that starts the command line of the MCP inspector, such as
 * `npx --yes @modelcontextprotocol/inspector --cli` with a Node that it supports: the inspector is no dependency.
 */
const inspector = process.env.MADELEINE_TEST_INSPECTOR ?? ''

describe.skipIf(inspector === '')('the MCP inspector', () => {
  const inspect = (...args: string[]) => {
    const server = [process.execPath, MAIN, 'mcp', '--workspace', here.notes, '--store', here.storeFile]
    const [command = '', ...rest] = inspector.split(' ')
    const { stdout, stderr } = spawnSync(command, [...rest, ...server, ...args], {
      env: { ...mcpEnvironment(here.home), HOME: process.env.HOME },
      encoding: 'utf8',
    })
    if (!stdout.trimStart().startsWith('{')) throw new Error(`${stdout}\n${stderr}`)
    return JSON.parse(stdout)
  }

  it('lists and calls the tools, and reads resources and the prompt', async () => {
    here.note('memory/pumps.md', '# Pumps\n\nREQ-0417: the heron pump runs on 24 V.\n')
    await here.openIndexed()
    const { tools } = inspect('--method', 'tools/list')
    expect(tools.map(({ name }: { name: string }) => name)).toEqual(TOOLS.map(({ name }) => name))
    const call = ['--method', 'tools/call', '--tool-name', 'memory_search', '--tool-arg', 'query=heron pump']
    expect(inspect(...call)).toMatchObject({ structuredContent: { results: [{ path: 'memory/pumps.md' }] } })
    const read = inspect('--method', 'resources/read', '--uri', 'memory://report/status')
    expect(JSON.parse(read.contents[0].text)).toMatchObject({ memories: 1 })
    const asked = inspect(
      '--method',
      'prompts/get',
      '--prompt-name',
      'recall',
      '--prompt-args',
      'prompt=heron pump voltage?',
    )
    expect(asked.messages.at(-1).content.text).toBe('heron pump voltage?')
  })
})
