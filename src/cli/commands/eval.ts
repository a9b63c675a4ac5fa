import { EVALUATION, EVALUATION_PROFILES, type EvaluationProfile, evaluateQuestions } from '../../index.ts'
import { EXIT } from '../exit-codes.ts'
import { type AddCommand, dropUndefined, type Invocation, withEngine } from '../invocation.ts'
import { choiceList, wholeNumber } from '../option-values.ts'
import { resolvePath, shortenPath } from '../paths.ts'
import { startProgress } from '../progress.ts'
import { readQuestions } from '../read-questions.ts'
import { describeEvaluation } from '../show-evaluation.ts'
import { cleanLine } from '../terminal-text.ts'
import { formatCount } from '../words.ts'

interface EvalFlags {
  profile?: EvaluationProfile[]
  limit?: number
}

/** Measures reach to the tenth result; more than a hundred nobody reads. */
const LIMITS = { least: 10, most: 100 }

const HELP_END = `
FILE has one question a line, with the places that answer it:
  {"query": "which pump did we choose", "gold": [{"path": "memory/2026-03-14.md", "contains": "the HK-200 it is"}]}
  {"query": "where is the spare key", "gold": [{"path": "MEMORY.md", "startLine": 12, "endLine": 14}], "kind": "paraphrase"}
  {"query": "what does the ferry cost", "gold": [{"id": "9f2c…"}], "stale": [{"path": "memory/old.md"}]}
  {"query": "how tall is the Eiffel tower", "gold": []}
Paths are as in search results. Any memory at a place answers; with gold [] recall should stay silent; above what is stale the gold
should stand. kind groups questions in the report. A .yaml or .json file holds a list of the same.

Measures are means over the answerable questions with their standard error: gold first (any@1), share of the gold places within five and
ten (recall@5, recall@10), 1 / rank of the first (MRR, 0 below --limit), nDCG@10, and all of them within five (all@5). Recall is asked
without a conversation and may take its time. Nothing is written to the store. Gold that names nothing in the store is listed, counted
in no measure, and ends with 3.

Examples:
  $ madeleine eval questions.jsonl
  $ madeleine eval questions.jsonl --profile default,keyword
  $ madeleine eval questions.yaml --now 2026-07-20T09:00 --json`

/** `madeleine eval`: how well search and recall answer the user's own questions. Exit 3 when a label names nothing. */
export const addEvalCommand: AddCommand = (program, run) => {
  program
    .command('eval')
    .description('measure search and recall on your own questions')
    .argument('<file>', 'questions with the places that answer them: JSON Lines, YAML or JSON')
    .addOption(choiceList('--profile <a,b>', 'how to search; others are compared with the first', EVALUATION_PROFILES))
    .option(
      '--limit <n>',
      `results that are judged, ${LIMITS.least} to ${LIMITS.most} (default ${EVALUATION.limit})`,
      wholeNumber(LIMITS.least, LIMITS.most),
    )
    .addHelpText('after', HELP_END)
    .action((file: string, flags: EvalFlags) => run((invocation) => runEval(invocation, file, flags)))
}

async function runEval(invocation: Invocation, given: string, { profile, limit }: EvalFlags): Promise<number> {
  const { output, surroundings } = invocation
  const { home, cwd, platform } = surroundings
  const file = resolvePath(given, { home, base: cwd, platform })
  const shown = shortenPath(file, home)
  const questions = readQuestions(file, shown)
  const progress = await startProgress(invocation)
  const { evaluation, memories } = await withEngine(withoutHurry(invocation), async (engine) => ({
    evaluation: await evaluateQuestions(engine, questions, {
      ...dropUndefined({ profiles: profile, limit, project: invocation.settings.values.project }),
      onProgress: (at) => progress.show({ phase: 'ask', ...at }),
    }),
    memories: (await engine.status()).memories,
  })).finally(() => progress.stop())
  output.document(evaluation)
  for (const line of describeEvaluation(evaluation, { file: shown, output })) output.print(line)
  for (const { part, reason, questions: count } of evaluation.degraded) {
    output.note(`(without ${part} in ${formatCount(count, 'question')}: ${cleanLine(reason)})`)
  }
  if (memories === 0) output.note('The store is empty: run `madeleine index` first.')
  return evaluation.unresolved.length > 0 ? EXIT.partly : EXIT.done
}

/** A recall that is measured may take its time. */
function withoutHurry(invocation: Invocation): Invocation {
  const { settings } = invocation
  const values = { ...settings.values, 'recall.deadlineMs': EVALUATION.deadlineMs }
  return { ...invocation, settings: { ...settings, values } }
}
