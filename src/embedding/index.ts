export { type BundledProviderOptions, createBundledProvider } from './bundled/bundled-provider.ts'
export type { RemoteEmbeddingProvider, RemoteProviderOptions } from './remote/create-remote-provider.ts'
export { parseRemoteSpec, REMOTE_KINDS, type RemoteKind, type RemoteSpec } from './remote/remote-spec.ts'
