import { MadeleineError } from '../errors.ts'
import { LANGUAGE_MODEL_MAX_ANSWER_BYTES } from '../options.ts'
import { checkedKey, NEEDS_KEY, serviceAddress } from './base-url.ts'
import { boundedFetch } from './bounded-fetch.ts'
import { describeModelFailure, type ModelFailure } from './describe-model-failure.ts'
import { hideKey } from './hide-key.ts'
import type { Completion, CompletionRequest, CompletionUsage, LanguageModel } from './language-model.ts'
import { type LanguageModelSpec, parseLanguageModelSpec } from './language-model-spec.ts'

export interface LanguageModelSettings {
  baseUrl?: string
  apiKey?: string
  /** US dollars for a million tokens, read and written; without them no cost is given. */
  price?: { input: number; output: number }
  /** Default the runtime's own. */
  fetch?: typeof globalThis.fetch
}

/** Where and as whom the service is asked. */
interface Access {
  spec: LanguageModelSpec
  baseURL: string
  apiKey: string | undefined
  fetch: typeof globalThis.fetch
}

/**
 * A language model by its name, `openai:MODEL`, `anthropic:MODEL` or `ollama:MODEL`. Throws INVALID_OPTION for a name, base URL or key that
 * cannot be used; neither URL nor key is repeated. The client libraries are loaded with the first question.
 */
export function createLanguageModel(name: string, settings: LanguageModelSettings = {}): LanguageModel {
  const spec = parseLanguageModelSpec(name)
  const access: Access = {
    spec,
    baseURL: serviceAddress(spec.kind, settings.baseUrl),
    apiKey: checkedKey(settings.apiKey),
    fetch: boundedFetch(settings.fetch ?? globalThis.fetch, LANGUAGE_MODEL_MAX_ANSWER_BYTES),
  }
  const isKeyMissing = access.apiKey === undefined && settings.baseUrl === undefined && NEEDS_KEY[spec.kind]
  return {
    name: `${spec.kind}:${spec.model}`,
    async complete(request) {
      if (request.signal?.aborted) throw interrupted(spec)
      if (isKeyMissing) {
        const remedy = 'Configure the API key of the language model'
        throw unavailable(access, { reason: 'it wants an API key and none is configured', remedy })
      }
      return ask(access, request, settings.price)
    },
  }
}

async function ask(
  access: Access,
  { system, prompt, maxOutputTokens, signal }: CompletionRequest,
  price: LanguageModelSettings['price'],
): Promise<Completion> {
  const answer = await generate()
  const { text, finishReason, usage } = answer
  if (text.trim() === '') {
    const remedy = 'Try another model'
    throw unavailable(access, { reason: `it gave no text (it stopped for the reason "${finishReason}")`, remedy })
  }
  // Some services answer with what they were sent.
  return { text: hideKey(text, access.apiKey), isCut: finishReason === 'length', usage: readUsage(usage, price) }

  async function generate() {
    try {
      // Loaded when somebody asks: nobody else should wait for them at start.
      const [{ generateText }, model] = await Promise.all([import('ai'), openModel(access)])
      return await generateText({
        model,
        system,
        prompt,
        maxOutputTokens,
        // Whoever asks has a deadline, and the next tick is another chance.
        maxRetries: 0,
        ...(signal && { abortSignal: signal }),
      })
    } catch (error) {
      if (signal?.aborted) throw interrupted(access.spec)
      throw unavailable(access, describeModelFailure(error, access.spec, access.apiKey))
    }
  }
}

async function openModel({ spec, baseURL, apiKey, fetch }: Access) {
  if (spec.kind === 'anthropic') {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    // Without a key the library would look for one in the environment.
    return createAnthropic({ baseURL, apiKey: apiKey ?? '', fetch })(spec.model)
  }
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  const provider = createOpenAICompatible({ name: spec.kind, baseURL, fetch, ...(apiKey !== undefined && { apiKey }) })
  return provider.chatModel(spec.model)
}

function readUsage(
  { inputTokens, outputTokens }: { inputTokens: number | undefined; outputTokens: number | undefined },
  price: LanguageModelSettings['price'],
): CompletionUsage {
  const isPriced = price !== undefined && inputTokens !== undefined && outputTokens !== undefined
  const cost = isPriced ? (inputTokens * price.input + outputTokens * price.output) / 1e6 : null
  return { inputTokens: inputTokens ?? null, outputTokens: outputTokens ?? null, cost }
}

/** Without its cause: what client libraries throw holds what was asked. */
function unavailable({ spec, baseURL }: Access, { reason, remedy }: ModelFailure): MadeleineError {
  const place = `${spec.kind}:${spec.model} at ${baseURL}`
  return new MadeleineError('MODEL_UNAVAILABLE', `Cannot ask the language model ${place}: ${reason}`, { remedy })
}

function interrupted({ kind, model }: LanguageModelSpec): MadeleineError {
  return new MadeleineError('INTERRUPTED', `Asking the language model ${kind}:${model} was interrupted`, {
    remedy: 'Ask again',
  })
}
