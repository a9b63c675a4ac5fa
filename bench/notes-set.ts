import * as z from 'zod'
import type { BenchMessage, BenchSet, SetName } from './haystack.ts'

/** A collection in the layout of BEIR: what is searched, what is asked, and which of it answers. */
export interface NotesFiles {
  corpus: readonly unknown[]
  queries: readonly unknown[]
  /** Lines of a TSV: a heading, then query id, document id, relevance. */
  qrels: readonly string[]
}

const document = z.object({ _id: z.string(), title: z.string().default(''), text: z.string() })
const query = z.object({ _id: z.string(), text: z.string() })

/** When all of it was written: nothing here has a time of its own. */
const WRITTEN_AT = '2025-01-01T09:00:00.000Z'
const ASKED_AT = '2025-06-01T09:00:00.000Z'

/** A collection of documents as a folder of notes: no conversation, no speakers, no dates. */
export function toNotes(name: SetName, title: string, { corpus, queries, qrels }: NotesFiles): BenchSet {
  const messages = corpus.map((value): BenchMessage => {
    const { _id: id, title: heading, text } = document.parse(value)
    return { id, session: id, role: 'user', title: heading, text, occurredAt: WRITTEN_AT }
  })
  const gold = new Map<string, Set<string>>()
  for (const row of qrels.slice(1)) {
    const [question = '', answer = '', relevance = '0'] = row.split('\t')
    if (Number(relevance) > 0) gold.set(question, (gold.get(question) ?? new Set()).add(answer))
  }
  const questions = queries.map((value) => {
    const { _id: id, text } = query.parse(value)
    const answers = gold.get(id) ?? new Set<string>()
    return {
      id,
      type: name,
      text,
      askedAt: ASKED_AT,
      goldMessages: answers,
      goldSessions: answers,
      isUnanswerable: false,
    }
  })
  return { name, title, haystacks: [{ id: name, form: 'notes', messages, questions }] }
}
