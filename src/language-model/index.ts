export { createLanguageModel, type LanguageModelSettings } from './create-language-model.ts'
export type { Completion, CompletionRequest, CompletionUsage, LanguageModel } from './language-model.ts'
