import { MadeleineError } from '../errors.ts'
import type { LanguageModel } from '../language-model/language-model.ts'
import type { HeartbeatAnalysis, HeartbeatResult } from '../model/heartbeat.ts'
import { ANALYSIS } from './analysis-options.ts'
import { type Analysable, buildAnalysisPrompt } from './analysis-prompt.ts'
import { readAnalysis } from './read-analysis.ts'

export interface AnalysisOptions {
  now: Date
  /** The user's zone. */
  timeZone: string
  signal?: AbortSignal
  /** Default ANALYSIS.deadlineMs. */
  deadlineMs?: number
}

/**
 * Asks a language model, once, what to make of a tick that acts: whether it is worth a message, and which. Rejects with
 * `MODEL_UNAVAILABLE` when the model fails, is late, or answers something else, with `INTERRUPTED` when the caller gives up; the tick
 * stands without it.
 */
export async function analyzeHeartbeat(
  model: LanguageModel,
  result: Analysable & Pick<HeartbeatResult, 'urgency'>,
  options: AnalysisOptions,
): Promise<HeartbeatAnalysis> {
  const { system, prompt, shown } = buildAnalysisPrompt(result, options)
  const startedAt = performance.now()
  const { text, isCut, usage } = await askInTime(model, { system, prompt }, options)
  const elapsedMs = Math.round(performance.now() - startedAt)
  const analysis = readAnalysis(text, { result, shown })
  if (analysis === null) {
    const reason = isCut ? 'its answer is cut off' : 'its answer is no analysis'
    throw new MadeleineError(
      'MODEL_UNAVAILABLE',
      `Cannot use the answer of the language model ${model.name}: ${reason}`,
      {
        remedy: 'Try a more capable model',
      },
    )
  }
  return { ...analysis, usage: { model: model.name, ...usage, elapsedMs } }
}

async function askInTime(
  model: LanguageModel,
  question: { system: string; prompt: string },
  { signal, deadlineMs = ANALYSIS.deadlineMs }: AnalysisOptions,
) {
  const deadline = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      deadline.abort()
      // Rejected here too: a model that does not listen to its signal must not hold up the tick.
      reject(tooLate(model, deadlineMs))
    }, deadlineMs)
  })
  const signals = signal ? [signal, deadline.signal] : [deadline.signal]
  const request = { ...question, maxOutputTokens: ANALYSIS.outputTokens, signal: AbortSignal.any(signals) }
  try {
    return await Promise.race([model.complete(request), late])
  } catch (error) {
    throw deadline.signal.aborted && !signal?.aborted ? tooLate(model, deadlineMs) : error
  } finally {
    clearTimeout(timer)
  }
}

function tooLate({ name }: LanguageModel, deadlineMs: number): MadeleineError {
  const found = `Cannot wait for the language model ${name}: it did not answer within ${deadlineMs / 1000} s`
  return new MadeleineError('MODEL_UNAVAILABLE', found, { remedy: 'Try a faster model' })
}
