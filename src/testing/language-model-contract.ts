import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CompletionRequest, LanguageModel } from '../language-model/language-model.ts'

export interface LanguageModelContractOptions {
  /** Opens the model under test. */
  create(): LanguageModel | Promise<LanguageModel>
  /** Opens one that cannot answer; left out where that cannot be brought about. */
  createBroken?(): LanguageModel | Promise<LanguageModel>
  /** Ends what `create` started. */
  close?(): Promise<void>
}

const QUESTION: CompletionRequest = {
  system: 'Answer with one word.',
  prompt: 'Is the sea wet? PELICAN',
  maxOutputTokens: 20,
}

/**
 * Registers the tests of the LanguageModel contract with vitest. Every adapter runs them.
 *
 * @example
 * testLanguageModel('my model', { create: () => createMyModel() })
 */
export function testLanguageModel(name: string, options: LanguageModelContractOptions): void {
  describe(`${name} keeps the contract of LanguageModel`, () => {
    let model: LanguageModel
    beforeAll(async () => {
      model = await options.create()
    })
    afterAll(async () => {
      await options.close?.()
    })

    it('says what it is, and answers with text and what it took', async () => {
      expect(model.name.trim()).not.toBe('')
      const { text, isCut, usage } = await model.complete(QUESTION)
      expect(text.trim()).not.toBe('')
      expect(typeof isCut).toBe('boolean')
      for (const count of [usage.inputTokens, usage.outputTokens, usage.cost]) {
        expect(count === null || (Number.isFinite(count) && count >= 0)).toBe(true)
      }
    })

    it('answers questions side by side', async () => {
      const answers = await Promise.all([model.complete(QUESTION), model.complete(QUESTION)])
      for (const { text } of answers) expect(text.trim()).not.toBe('')
    })

    it('is interrupted by a caller who has given up, and serves the next one', async () => {
      const signal = AbortSignal.abort()
      await expect(model.complete({ ...QUESTION, signal })).rejects.toMatchObject({ code: 'INTERRUPTED' })
      expect((await model.complete(QUESTION)).text.trim()).not.toBe('')
    })

    it.skipIf(options.createBroken === undefined)(
      'says that it is unavailable, without a word of what was asked',
      async () => {
        const broken = await options.createBroken?.()
        const error: unknown = await broken?.complete(QUESTION).catch((thrown: unknown) => thrown)
        expect(error).toMatchObject({ code: 'MODEL_UNAVAILABLE', remedy: expect.stringMatching(/\w/) })
        expect(`${error}${JSON.stringify(error)}`).not.toContain('PELICAN')
      },
    )
  })
}
