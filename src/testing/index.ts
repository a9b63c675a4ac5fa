export { type EmbeddingProviderContractOptions, testEmbeddingProvider } from './embedding-provider-contract.ts'
export { createFakeProvider, type FakeProvider, type FakeProviderOptions } from './fake-embedding-provider.ts'
export {
  type FakeEmbeddingServer,
  type FakeEmbeddingServerOptions,
  type RecordedRequest,
  type ScriptedReply,
  startFakeEmbeddingServer,
} from './fake-embedding-server.ts'
export { createFakeLanguageModel, type FakeLanguageModel } from './fake-language-model.ts'
export {
  type FakeLanguageServer,
  type FakeLanguageServerOptions,
  type RecordedQuestion,
  type ScriptedAnswer,
  startFakeLanguageServer,
} from './fake-language-server.ts'
export { type LanguageModelContractOptions, testLanguageModel } from './language-model-contract.ts'
export { type MemoryStoreContractOptions, testMemoryStore } from './memory-store-contract.ts'
