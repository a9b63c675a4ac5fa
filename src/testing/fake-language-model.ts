import { MadeleineError } from '../errors.ts'
import type { CompletionRequest, LanguageModel } from '../language-model/language-model.ts'

export interface FakeLanguageModel extends LanguageModel {
  /** What was asked, in order. */
  readonly requests: CompletionRequest[]
}

/** A language model for tests: answers each question by `answer`, a text or a function of the question; an error that it gives is thrown. */
export function createFakeLanguageModel(
  answer: string | ((request: CompletionRequest) => string | Error),
): FakeLanguageModel {
  const requests: CompletionRequest[] = []
  return {
    name: 'fake:model',
    requests,
    async complete(request) {
      if (request.signal?.aborted) {
        throw new MadeleineError('INTERRUPTED', 'Asking the language model fake:model was interrupted', {
          remedy: 'Ask again',
        })
      }
      requests.push(request)
      const text = typeof answer === 'string' ? answer : answer(request)
      if (text instanceof Error) throw text
      return { text, isCut: false, usage: { inputTokens: 120, outputTokens: 30, cost: 0.0002 } }
    },
  }
}
