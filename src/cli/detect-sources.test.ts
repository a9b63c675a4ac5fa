import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { detectSources } from './detect-sources.ts'

let home: string
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'madeleine-home-')))
})
afterEach(() => rmSync(home, { recursive: true }))

function write(path: string, text = '# x\n') {
  mkdirSync(dirname(join(home, path)), { recursive: true })
  writeFileSync(join(home, path), text)
}

function detect({ cwd = home, env = {} }: { cwd?: string; env?: NodeJS.ProcessEnv } = {}) {
  return detectSources({ home, cwd, env, platform: 'linux' }).map(({ kind, setting, path, files }) => [
    kind,
    setting,
    path.slice(home.length + 1),
    files,
  ])
}

describe('detectSources', () => {
  it('finds nothing on an empty machine', () => {
    expect(detect()).toEqual([])
  })

  it('finds the workspaces and sessions of every OpenClaw agent, archives counted', () => {
    write('.openclaw/workspace/MEMORY.md')
    write('.openclaw/workspace/memory/2026-07-18.md')
    write('.openclaw/workspace-work/AGENTS.md')
    write('.openclaw/workspace-empty/x.txt')
    write('.openclaw/agents/main/sessions/a.jsonl')
    write('.openclaw/agents/main/sessions/b.jsonl.reset.2026-07-01T00-00-00Z')
    write('.openclaw/agents/work/agent/openclaw-agent.sqlite')
    expect(detect()).toEqual([
      ['openclaw-workspace', 'workspaces', '.openclaw/workspace', 2],
      ['openclaw-workspace', 'workspaces', '.openclaw/workspace-work', 1],
      ['openclaw-transcripts', 'transcripts', '.openclaw/agents/main/sessions', 2],
      ['openclaw-transcripts', 'transcripts', '.openclaw/agents/work/agent', 1],
    ])
  })

  it("follows OpenClaw's own settings to other folders", () => {
    write(
      'state/openclaw.json',
      '{agents: {defaults: {workspace: "~/vault"}, list: [{id: "b", workspace: "~/second"}]}}',
    )
    write('vault/MEMORY.md')
    write('second/USER.md')
    write('third/USER.md')
    const env = { OPENCLAW_STATE_DIR: '~/state', OPENCLAW_WORKSPACE_DIR: join(home, 'third') }
    expect(detect({ env }).map(([, , path]) => path)).toEqual(['third', 'vault', 'second'])
    write('.openclaw-lab/workspace/MEMORY.md')
    expect(detect({ env: { OPENCLAW_PROFILE: 'lab' } }).map(([, , path]) => path)).toEqual(['.openclaw-lab/workspace'])
  })

  it('finds the transcripts of Claude Code and the notes it keeps of each project', () => {
    write('.claude/projects/-p-one/s1.jsonl')
    write('.claude/projects/-p-one/s1/subagents/agent-a.jsonl')
    write('.claude/projects/-p-one/memory/MEMORY.md')
    expect(detect()).toEqual([['claude-code-transcripts', 'transcripts', '.claude/projects', 2]])
    const [found] = detectSources({ home, cwd: home, env: {}, platform: 'linux' })
    expect(found?.note).toBe('and 1 note that it keeps beside them')
    expect(detect({ env: { CLAUDE_CONFIG_DIR: '/nowhere' } })).toEqual([])
  })

  it('finds the skills that a user keeps for all projects, and nothing else beside them', () => {
    write('.claude/skills/glaze/SKILL.md')
    write('.claude/skills/glaze/references/long.md')
    write('.openclaw/skills/fire/SKILL.md')
    expect(detect()).toEqual([
      ['skills', 'extraPaths', '.openclaw/skills/**/SKILL.md', 1],
      ['skills', 'extraPaths', '.claude/skills/**/SKILL.md', 1],
    ])
  })

  it('takes the current folder for a workspace by its marks, the home folder never', () => {
    write('notes/memory/topic.md')
    write('notes/node_modules/x/README.md')
    write('code/README.md')
    write('CLAUDE.md')
    expect(detect({ cwd: join(home, 'notes') })).toEqual([['markdown', 'workspaces', 'notes', 1]])
    expect(detect({ cwd: join(home, 'code') })).toEqual([])
    expect(detect()).toEqual([])
  })

  it('names a folder once, however it is reached', () => {
    write('.openclaw/workspace/MEMORY.md')
    symlinkSync(join(home, '.openclaw/workspace'), join(home, 'link'))
    expect(detect({ cwd: join(home, 'link') })).toHaveLength(1)
  })
})
