import { describe, expect, it } from 'vitest'
import { REMOTE_WINDOW_CHARS } from '../../options.ts'
import { modelProfile } from './model-profile.ts'

const SENTENCE = 'Represent this sentence for searching relevant passages: '
const TASK = 'Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:'

describe('modelProfile', () => {
  it.each([
    ['nomic-embed-text', 'search_document: ', 'search_query: '],
    ['text-embedding-nomic-embed-text-v1.5', 'search_document: ', 'search_query: '],
    ['jeffh/intfloat-multilingual-e5-large:f16', 'passage: ', 'query: '],
    ['intfloat/multilingual-e5-large', 'passage: ', 'query: '],
    ['e5-base-v2', 'passage: ', 'query: '],
    ['multilingual-e5-large-instruct', '', `${TASK} `],
    ['BAAI/bge-small-en-v1.5', '', SENTENCE],
    ['bge-large-zh-v1.5', '', '为这个句子生成表示以用于检索相关文章：'],
    ['bge-m3', '', ''],
    ['mxbai-embed-large:335m', '', SENTENCE],
    ['snowflake-arctic-embed:22m', '', SENTENCE],
    ['snowflake-arctic-embed2', '', 'query: '],
    ['Snowflake/snowflake-arctic-embed-l-v2.0', '', 'query: '],
    ['embeddinggemma:300m', 'title: none | text: ', 'task: search result | query: '],
    ['Qwen/Qwen3-Embedding-0.6B', '', TASK],
    ['text-embedding-3-small', '', ''],
    ['a-model-of-tomorrow', '', ''],
  ])('gives %s the prefixes of its model card', (model, documentPrefix, queryPrefix) => {
    expect(modelProfile(model)).toMatchObject({ documentPrefix, queryPrefix })
  })

  it('keeps windows short for models that read little, and long for the others', () => {
    const windows = ['paraphrase-multilingual', 'all-minilm:l6-v2', 'mxbai-embed-large', 'bge-m3'].map(
      (model) => modelProfile(model).windowChars,
    )
    expect(windows).toEqual([384, 768, 1536, REMOTE_WINDOW_CHARS])
  })
})
