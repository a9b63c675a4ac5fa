import { REMOTE_CHARS_PER_TOKEN, REMOTE_WINDOW_CHARS } from '../../options.ts'

/** What a model wants to be given. */
export interface ModelProfile {
  /** Put before every document (each of its windows). */
  documentPrefix: string
  /** Put before every query. */
  queryPrefix: string
  /** Longest text to send as one input, prefix not counted, in characters. */
  windowChars: number
}

interface KnownModel {
  name: RegExp
  document?: string
  query?: string
  /** Given where the model reads so little that servers which cut in silence would lose text. */
  maxTokens?: number
}

const SENTENCE_QUERY = 'Represent this sentence for searching relevant passages: '
const WEB_SEARCH_TASK = 'Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:'

/** As the model cards say; the first that matches counts. */
const KNOWN_MODELS: readonly KnownModel[] = [
  { name: /^nomic-embed-text/, document: 'search_document: ', query: 'search_query: ' },
  { name: /^(intfloat-)?(multilingual-)?e5-.*instruct/, query: `${WEB_SEARCH_TASK} ` },
  { name: /^(intfloat-)?(multilingual-)?e5-/, document: 'passage: ', query: 'query: ', maxTokens: 512 },
  { name: /^bge-(small|base|large)-zh/, query: '为这个句子生成表示以用于检索相关文章：', maxTokens: 512 },
  { name: /^bge-(small|base|large)/, query: SENTENCE_QUERY, maxTokens: 512 },
  { name: /^mxbai-embed-large/, query: SENTENCE_QUERY, maxTokens: 512 },
  { name: /^snowflake-arctic-embed(2|.*-v2)/, query: 'query: ' },
  { name: /^snowflake-arctic-embed.*long/, query: SENTENCE_QUERY },
  { name: /^snowflake-arctic-embed/, query: SENTENCE_QUERY, maxTokens: 512 },
  { name: /^embeddinggemma/, document: 'title: none | text: ', query: 'task: search result | query: ' },
  { name: /^qwen3-embedding/, query: WEB_SEARCH_TASK },
  { name: /^all-minilm/, maxTokens: 256 },
  { name: /^paraphrase-multilingual/, maxTokens: 128 },
]

/** The name of a model without publisher, tag, and the mark that some local servers put before it. */
function baseName(model: string): string {
  const name = model.toLowerCase().split('/').pop() ?? ''
  return name.replace(/^text-embedding-(?=[a-z])/, '').replace(/:.*$/, '')
}

/** Prefixes and window of a model by its name; a model that is not known gets its texts as they are. */
export function modelProfile(model: string): ModelProfile {
  const name = baseName(model)
  const known = KNOWN_MODELS.find((entry) => entry.name.test(name))
  return {
    documentPrefix: known?.document ?? '',
    queryPrefix: known?.query ?? '',
    windowChars: known?.maxTokens ? known.maxTokens * REMOTE_CHARS_PER_TOKEN : REMOTE_WINDOW_CHARS,
  }
}
