import { type ImportedText, isRecord, type Reading, textIn } from './reading.ts'

/**
 * Reads the file of `@modelcontextprotocol/server-memory`: JSON, one entity or relation a line. Each observation is a text of its own
 * with the name and kind of its entity; a relation is the sentence that it states.
 */
export function readServerMemory(content: string): Reading {
  const reading: Reading = { texts: [], skipped: [] }
  for (const [index, line] of content.split('\n').entries()) {
    if (line.trim() === '') continue
    const texts = readLine(line)
    if (typeof texts === 'string') reading.skipped.push({ line: index + 1, reason: texts })
    else reading.texts.push(...texts.map((text) => ({ ...text, line: index + 1 })))
  }
  return reading
}

/** What one line says, or why nothing. */
function readLine(line: string): ImportedText[] | string {
  let record: unknown
  try {
    record = JSON.parse(line)
  } catch {
    return 'it is no JSON'
  }
  if (!isRecord(record)) return 'it is no JSON object'
  if (record.type === 'entity') return readEntity(record)
  if (record.type === 'relation') return readRelation(record)
  return `it is neither an entity nor a relation, but of type ${JSON.stringify(record.type)}`
}

function readEntity(record: Record<string, unknown>): ImportedText[] | string {
  const name = textIn(record, 'name')
  const { observations } = record
  if (name === undefined) return 'an entity without a name'
  if (!Array.isArray(observations) || observations.some((one) => typeof one !== 'string')) {
    return `the observations of ${JSON.stringify(name)} are no list of texts`
  }
  const kind = textIn(record, 'entityType')
  const subject = kind === undefined ? name : `${name} (${kind})`
  const facts = observations.map(String).filter((one) => one.trim() !== '')
  // An entity of which nothing is said is still known.
  if (facts.length === 0) return [{ key: ['entity', name], text: subject }]
  return facts.map((fact) => ({ key: ['entity', name], text: `${subject}: ${fact}` }))
}

function readRelation(record: Record<string, unknown>): ImportedText[] | string {
  const [from, relation, to] = ['from', 'relationType', 'to'].map((name) => textIn(record, name))
  if (from === undefined || relation === undefined || to === undefined) {
    return 'a relation without from, to or relationType'
  }
  return [{ key: ['relation'], text: `${from} ${relation} ${to}`, type: 'relationship' }]
}
