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

/** What stands under one heading. */
interface Section {
  /** Headings above it and its own, outermost first, without those that only repeat the title or name the kind of its items. */
  headings: string[]
  line: number
  prose: string[]
  /** Something below it has its headings. */
  isTold: boolean
}

const FENCE = /^\s*(?:`{3,}|~{3,})/
const HEADING = /^(#{1,6})\s+(.*?)\s*#*$/
/** Headings that the format recommends: they say nothing of the note. */
const CONVENTIONAL = /^(?:observations|relations)$/i
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
  for (const { headings, line, prose, isTold } of sortLines(body, firstLine, { title: head.title, add })) {
    const text = prose.join('\n').trim()
    const label = labelOf(head.title, headings) + head.about
    if (text !== '') add('prose', line, `${label}\n\n${text}`)
    else if (!isTold && headings.length > 0) add('prose', line, label)
  }
  // What says nothing but its title and tags is still a note.
  if (!reading.texts.some(({ key }) => key[1] === 'prose') && head.about !== '') add('note', 1, head.title + head.about)
  return reading
}

function labelOf(title: string, headings: readonly string[]): string {
  return [title, ...headings].join(' > ')
}

type Add = (kind: string, line: number, text: string, type?: ImportedText['type']) => void

/** Gives observations and relations to `add`, and returns what is left under each heading. */
function sortLines(body: readonly string[], firstLine: number, { title, add }: { title: string; add: Add }): Section[] {
  let section: Section = { headings: [], line: firstLine, prose: [], isTold: false }
  const sections = [section]
  const above: Array<{ level: number; text: string }> = []
  let isCode = false
  for (const [index, line] of body.entries()) {
    if (FENCE.test(line)) isCode = !isCode
    const heading = isCode ? null : HEADING.exec(line)
    if (heading) {
      const level = heading[1]?.length ?? 1
      section.isTold ||= level > (above.at(-1)?.level ?? 0)
      while ((above.at(-1)?.level ?? 0) >= level) above.pop()
      above.push({ level, text: heading[2] ?? '' })
      const headings = above.map(({ text }) => text).filter((text) => text !== title && !CONVENTIONAL.test(text))
      section = { headings, line: firstLine + index, prose: [], isTold: false }
      sections.push(section)
      continue
    }
    const item = isCode ? undefined : readItem(line, labelOf(title, section.headings))
    if (item) {
      add(item.kind, firstLine + index, item.text, item.kind === 'relation' ? 'relationship' : undefined)
      section.isTold = true
    } else section.prose.push(line)
  }
  return sections
}

/** A line that states an observation or a relation, as a sentence about its subject. */
function readItem(line: string, subject: string): { kind: 'observation' | 'relation'; text: string } | undefined {
  const item = ITEM.exec(line)?.[1]?.trim()
  if (item === undefined) return undefined
  const observation = OBSERVATION.exec(item)
  if (observation) return { kind: 'observation', text: `${subject} [${observation[1]}]: ${observation[2]}` }
  const relation = RELATION.exec(item)
  if (!relation) return undefined
  const [, double, single, plain, target = '', context] = relation
  const type = double ?? single ?? plain ?? 'links_to'
  return { kind: 'relation', text: [subject, type, target.trim(), context].filter(Boolean).join(' ') }
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
