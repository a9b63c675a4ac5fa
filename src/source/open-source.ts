import { createMarkdownSource, type MarkdownSourceOptions } from './markdown-source.ts'
import type { Source } from './source.ts'
import { createTranscriptSource, type TranscriptSourceOptions } from './transcript-source.ts'

/** Makes a source of what another one says that it was made of; undefined where nobody here knows how. */
export function openSource({ form, options }: NonNullable<Source['recipe']>): Source | undefined {
  // Safe because each form is written beside the options of its maker, and nowhere else.
  if (form === 'markdown') return createMarkdownSource(options as MarkdownSourceOptions)
  if (form === 'transcripts') return createTranscriptSource(options as TranscriptSourceOptions)
  return undefined
}
