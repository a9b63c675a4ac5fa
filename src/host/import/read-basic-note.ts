import { parse } from 'yaml'
import { dateIn, type ImportedText, isRecord, type Reading, textIn } from './reading.ts'

/** Where in the notes a file stands. */
export interface NoteFile {
  /** Relative to the folder of notes. */
  path: string
  content: string
}

interface NoteHead {
  title: string
  /** Its permanent name there. */
  name: string
  /** Kind and tags, where there are any. */
  about: string
  occurredAt?: string
}

/** Lines of prose under one heading. */
interface Section {
  heading: string
  line: number
  lines: string[]
}

const FENCE = /^\s*(?:`{3,}|~{3,})/
const HEADING = /^#{1,6}\s+(.*?)\s*#*$/
const ITEM = /^\s*[-*+]\s+(.*)$/
/** `[category] what is observed`: no checkbox, no link, no time of day. */
const OBSERVATION = /^\[(?![xX]\]|[^\p{L}\p{N}]\]|\d{1,3}:\d{2}[\d:.,\s-]*\])([^[\]()]+)\]\s+(\S.*)$/u
/** `type [[Target]] (context)`: one word, or several in quotation marks; a sentence with a link in it is none. */
const RELATION = /^(?:"([^"]+)"|'([^']+)'|([^\s[\]]+))?\s*\[\[([^[\]]+)\]\](?:\s*(\([^()]*\)))?$/

/**
 * Reads a note of basic-memory: Markdown with front matter, observations (`- [category] text #tag`) and relations
 * (`- type [[Target]]`). Each of them is a text of its own with the note's title; the prose is one for each heading.
 */
export function readBasicNote({ path, content }: NoteFile): Reading {
  const { head, body, firstLine, problem } = readHead(path, content.replace(/^\uFEFF/, ''))
  const reading: Reading = { texts: [], skipped: problem === undefined ? [] : [{ path, line: 1, reason: problem }] }
  const add = (kind: string, line: number, text: string, type?: ImportedText['type']): void => {
    const { occurredAt } = head
    reading.texts.push({
      ...{ key: [head.name, kind], text, path, line },
      ...(type && { type }),
      ...(occurredAt !== undefined && { occurredAt }),
    })
  }
  const sections = sortLines(body, firstLine, { title: head.title, add })
  for (const { heading, line, lines } of sections) {
    const prose = lines.join('\n').trim()
    if (prose === '') continue
    const title = heading === '' || heading === head.title ? head.title : `${head.title} > ${heading}`
    add('prose', line, `${title}${head.about}\n\n${prose}`)
  }
  // What says nothing but its title and tags is still a note.
  if (!reading.texts.some(({ key }) => key[1] === 'prose') && head.about !== '') add('note', 1, head.title + head.about)
  return reading
}

/** Gives observations and relations to `add`, and returns what is left. */
function sortLines(
  body: readonly string[],
  firstLine: number,
  {
    title,
    add,
  }: { title: string; add: (kind: string, line: number, text: string, type?: ImportedText['type']) => void },
): Section[] {
  const sections: Section[] = [{ heading: '', line: firstLine, lines: [] }]
  let isCode = false
  for (const [index, line] of body.entries()) {
    if (FENCE.test(line)) isCode = !isCode
    const heading = isCode ? undefined : HEADING.exec(line)?.[1]
    const item = isCode ? undefined : ITEM.exec(line)?.[1]?.trim()
    const observation = item === undefined ? null : OBSERVATION.exec(item)
    const relation = item === undefined ? null : RELATION.exec(item)
    const number = firstLine + index
    if (heading !== undefined) sections.push({ heading, line: number, lines: [] })
    else if (observation) add('observation', number, `${title} [${observation[1]}]: ${observation[2]}`)
    else if (relation) {
      const [, double, single, plain, target, context] = relation
      const type = double ?? single ?? plain ?? 'links_to'
      add('relation', number, [title, type, target?.trim(), context].filter(Boolean).join(' '), 'relationship')
    } else sections.at(-1)?.lines.push(line)
  }
  return sections
}

function readHead(
  path: string,
  content: string,
): { head: NoteHead; body: string[]; firstLine: number; problem?: string } {
  const fileTitle = path.replace(/^.*\//, '').replace(/\.md$/i, '')
  const lines = content.split(/\r\n|\r|\n/)
  const end = lines[0]?.trimEnd() === '---' ? lines.findIndex((line, at) => at > 0 && line.trimEnd() === '---') : -1
  const plain = { title: fileTitle, name: path, about: '' }
  if (end === -1) return { head: plain, body: lines, firstLine: 1 }
  const rest = { body: lines.slice(end + 1), firstLine: end + 2 }
  let fields: unknown
  try {
    fields = parse(lines.slice(1, end).join('\n'))
  } catch {
    return { head: plain, ...rest, problem: 'the front matter is no YAML: title, tags and date are not taken over' }
  }
  if (!isRecord(fields)) return { head: plain, ...rest }
  const [modified, created] = [dateIn(fields, 'modified'), dateIn(fields, 'created')]
  const occurredAt = modified.occurredAt ?? created.occurredAt
  const about = [kindOf(fields), ...tagsOf(fields)].filter((one) => one !== '')
  const notes = [created.note, modified.note].filter((note) => note !== undefined).map((note) => ` ${note}`)
  const title = textIn(fields, 'title') ?? fileTitle
  return {
    ...rest,
    head: {
      title,
      name: textIn(fields, 'permalink') ?? path,
      about: (about.length > 0 ? ` (${about.join(', ')})` : '') + notes.join(''),
      ...(occurredAt !== undefined && { occurredAt }),
    },
  }
}

/** The kind of a note, unless it is a plain one. */
function kindOf(fields: Record<string, unknown>): string {
  const kind = textIn(fields, 'type') ?? ''
  return kind === 'note' ? '' : kind
}

/** Tags are a list, or words with commas between them. */
function tagsOf({ tags }: Record<string, unknown>): string[] {
  const listed = Array.isArray(tags) ? tags.map(String) : typeof tags === 'string' ? tags.split(',') : []
  return listed.map((tag) => tag.trim().replace(/^#/, '')).filter((tag) => tag !== '')
}
