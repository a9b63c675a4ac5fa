import { chunkMarkdown } from '../src/chunk/chunk-markdown.ts'
import { chunkTranscript } from '../src/chunk/chunk-transcript.ts'
import type { EmbeddingProvider } from '../src/embedding/embedding-provider.ts'
import type { Chunk } from '../src/model/document.ts'
import { createMarkdownSource } from '../src/source/markdown-source.ts'
import { createTranscriptSource } from '../src/source/transcript-source.ts'
import { ownStart } from '../src/store/context-in-embed-text.ts'
import type { HaystackFiles } from './haystack-files.ts'

/** A chunk as the engine's write pass makes it, and the message that it is of. */
export interface ChunkOfMessage {
  chunk: Chunk
  /** Id of the message. */
  message: string
}

/** Vectors of chunks as the engine stores them. */
export async function embedChunks(provider: EmbeddingProvider, chunks: readonly Chunk[]): Promise<Float32Array[][]> {
  if (!provider.tokens) return provider.embedDocuments(chunks.map(({ embedText }) => embedText))
  const texts = chunks.map(({ embedText, text, role }) => ({
    text: embedText,
    ownFrom: ownStart(embedText, text, role !== undefined),
  }))
  return (await provider.tokens.embedDocuments(texts)).map(({ windows }) => windows)
}

/** Reads and cuts the files of a haystack as the engine does. A file that cannot be read is an error. */
export async function readChunks(files: HaystackFiles): Promise<ChunkOfMessage[]> {
  const source =
    files.form === 'notes'
      ? createMarkdownSource({ root: files.directory, tenant: 'local', agent: 'main' })
      : createTranscriptSource({ root: files.directory, tenant: 'local' })
  const refuse = (path: string, reason: string): never => {
    throw new Error(`Cannot read ${path}: ${reason}`)
  }
  const chunks: ChunkOfMessage[] = []
  for await (const entry of source.list(({ path, reason }) => refuse(path, reason))) {
    const result = await source.read(entry)
    if ('skipped' in result) return refuse(entry.path, result.skipped)
    const { document, problems } = result
    if (problems[0]) return refuse(entry.path, problems[0].reason)
    for (const chunk of document.form === 'markdown' ? chunkMarkdown(document) : chunkTranscript(document)) {
      chunks.push({ chunk, message: files.messageAt(document.path, chunk.startLine).id })
    }
  }
  return chunks
}
