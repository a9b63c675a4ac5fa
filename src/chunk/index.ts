export { type ChunkMarkdownOptions, chunkMarkdown } from './chunk-markdown.ts'
export type { ChunkTally } from './chunk-tally.ts'
export { chunkTranscript, contextAfter } from './chunk-transcript.ts'
