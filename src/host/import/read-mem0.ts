import { MadeleineError } from '../../index.ts'
import { dateIn, type ImportedText, isRecord, type Reading, textIn } from './reading.ts'

/**
 * Reads an export of mem0: JSON, a list of memories, or what its `get_all` gives, with them under `results` and the relations of its
 * graph under `relations`. A memory is dated by when it got its present text. Rejects what is no such thing with INVALID_OPTION.
 */
export function readMem0(content: string): Reading {
  const { memories, relations } = listsOf(content)
  const users = new Set(memories.map((one) => (isRecord(one) ? textIn(one, 'user_id') : undefined)))
  const reading: Reading = { texts: [], skipped: [] }
  const take = (texts: ImportedText | string, position: string): void => {
    if (typeof texts === 'string') reading.skipped.push({ reason: `${position}: ${texts}` })
    else reading.texts.push(texts)
  }
  for (const [index, one] of memories.entries()) take(readMemory(one, users.size > 1), `memory ${index + 1}`)
  for (const [index, one] of relations.entries()) take(readRelation(one), `relation ${index + 1}`)
  return reading
}

function listsOf(content: string): { memories: unknown[]; relations: unknown[] } {
  let parsed: unknown
  try {
    parsed = JSON.parse(content)
  } catch (error) {
    throw notAnExport('it is no JSON', error)
  }
  if (Array.isArray(parsed)) return { memories: parsed, relations: [] }
  if (!isRecord(parsed) || !Array.isArray(parsed.results)) throw notAnExport('it holds no list of memories')
  return { memories: parsed.results, relations: Array.isArray(parsed.relations) ? parsed.relations : [] }
}

/** With `isOfMany` the text says whose memory it is. */
function readMemory(record: unknown, isOfMany: boolean): ImportedText | string {
  if (!isRecord(record)) return 'it is no JSON object'
  const said = textIn(record, 'memory')
  if (said === undefined) return 'it has no text under "memory"'
  const updated = dateIn(record, 'updated_at')
  const created = dateIn(record, 'created_at')
  const user = textIn(record, 'user_id')
  const occurredAt = updated.occurredAt ?? created.occurredAt
  const sessionId = textIn(record, 'run_id')
  const notes = [describeMetadata(record), created.note, updated.note].filter((note) => note !== undefined)
  return {
    key: [textIn(record, 'id') ?? ''],
    text: [isOfMany && user !== undefined ? `${user}: ${said}` : said, ...notes].join(' '),
    ...(occurredAt !== undefined && { occurredAt }),
    ...(sessionId !== undefined && { sessionId }),
  }
}

/** Categories and plain metadata in words: they are part of what was known. */
function describeMetadata({ categories, metadata }: Record<string, unknown>): string | undefined {
  const named = Array.isArray(categories) ? categories.filter((one) => typeof one === 'string') : []
  const fields = isRecord(metadata) ? Object.entries(metadata) : []
  const parts = [
    ...named,
    ...fields
      .filter(([, value]) => /^(?:string|number|boolean)$/.test(typeof value))
      .map(([name, value]) => `${name}: ${value}`),
  ]
  return parts.length > 0 ? `(${parts.join(', ')})` : undefined
}

function readRelation(record: unknown): ImportedText | string {
  if (!isRecord(record)) return 'it is no JSON object'
  const [source, relation, target] = ['source', 'relationship', 'target'].map((name) => textIn(record, name))
  if (source === undefined || relation === undefined || target === undefined) {
    return 'it lacks source, relationship or target'
  }
  return { key: ['relation'], text: `${source} ${relation} ${target}`, type: 'relationship' }
}

function notAnExport(reason: string, cause?: unknown): MadeleineError {
  return new MadeleineError('INVALID_OPTION', `Cannot import this as an export of mem0: ${reason}`, {
    remedy: 'Give the JSON of its get_all or of its memory export: a list of objects with "memory"',
    cause,
  })
}
