import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Madeleine, openMadeleine } from '../../src/index.ts'

const EXAMPLES = join(import.meta.dirname, '..', '..', 'examples')
const LISTS = join(import.meta.dirname, 'recall-gold')

interface Prompt {
  id: string
  prompt: string
  answers: Array<{ path: string; contains: string }>
}

function readList(name: string): Prompt[] {
  const lines = readFileSync(join(LISTS, name), 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => ({ answers: [], ...(JSON.parse(line) as Omit<Prompt, 'answers'>) }))
}

/** Lists that were written before the code that they judge, from the sample workspace alone. No threshold is tuned on them. */
describe('recall on the sample workspace, with the bundled model', () => {
  let home: string
  let engine: Madeleine

  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'madeleine-gold-'))
    engine = await openMadeleine({
      workspaces: [join(EXAMPLES, 'workspace')],
      transcripts: [
        join(EXAMPLES, 'transcripts/openclaw/agents/main/sessions'),
        join(EXAMPLES, 'transcripts/claude/projects'),
      ],
      store: join(home, 'store.db'),
      embedding: 'bundled',
      now: () => new Date('2026-07-20T09:00:00+02:00'),
      timeZone: 'Europe/Zurich',
      // On a busy machine too it is the answer that is judged.
      recall: { deadlineMs: 60_000 },
    })
    await engine.index()
  }, 300_000)

  afterAll(async () => {
    await engine.close()
    rmSync(home, { recursive: true, force: true })
  })

  /** Whether one of the first three items holds one of the answers. */
  async function isAnswered({ prompt, answers }: Prompt): Promise<boolean> {
    const { items } = await engine.recall({ prompt })
    for (const { id, path, text } of items.slice(0, 3)) {
      const whole = `${text}\n${(await engine.get(id)).text}`
      if (answers.some((answer) => basename(answer.path) === basename(path) && whole.includes(answer.contains)))
        return true
    }
    return false
  }

  it('is silent before thanks, small talk and chores, in thirteen languages', async () => {
    const spoken: string[] = []
    for (const { id, prompt } of readList('negative.jsonl')) {
      if ((await engine.recall({ prompt })).items.length > 0) spoken.push(id)
    }
    expect(spoken).toEqual([])
  }, 120_000)

  it('brings what bears on an everyday prompt: 45 of 50', async () => {
    let answered = 0
    for (const prompt of readList('everyday.jsonl')) if (await isAnswered(prompt)) answered += 1
    expect(answered).toBeGreaterThanOrEqual(45)
  }, 120_000)
})
