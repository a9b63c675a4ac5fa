export { type ChunkMarkdownOptions, chunkMarkdown } from './chunk-markdown.ts'
export { chunkTranscript } from './chunk-transcript.ts'
