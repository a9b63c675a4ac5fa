export { type EmbeddingProviderContractOptions, testEmbeddingProvider } from './embedding-provider-contract.ts'
export { createFakeProvider, type FakeProvider, type FakeProviderOptions } from './fake-embedding-provider.ts'
export {
  type FakeEmbeddingServer,
  type FakeEmbeddingServerOptions,
  type RecordedRequest,
  type ScriptedReply,
  startFakeEmbeddingServer,
} from './fake-embedding-server.ts'
export { type MemoryStoreContractOptions, testMemoryStore } from './memory-store-contract.ts'
