/** A block that a program put into a message: what opens it, what closes it. Names compare exactly, case ignored for tags. */
interface BlockForm {
  open: RegExp
  close: string
}

/**
 * Tags that hosts and memory tools wrap their own words in. The first group is recalled memory: indexed again, it would
 * grow with every turn.
 */
export const RECALL_TAGS = [
  'recalled-context',
  'recalled_context',
  'relevant-memories',
  'relevant_memories',
  'relevant-context',
  'relevant_context',
  'your-memories',
  'heartbeat-signals',
  'active_memory_plugin',
  'active-memory',
  'supermemory-context',
  'supermemory-containers',
  'claude-mem-context',
  'memory-context',
  'memory_context',
  'memory-recall',
  'recalled-memories',
  'recalled_memories',
  'retrieved-memories',
  'retrieved_memories',
  'injected-memories',
  'injected_memories',
  'hindsight_memories',
  'hindsight-memories',
  'mem0-context',
  'mem0-memories',
  'memos-context',
  'openviking-context',
  'engram-context',
  'lossless-context',
  'hook_context',
  'hookclaw-context',
  'user-memories',
] as const
export const HOST_TAGS = [
  'system-reminder',
  'command-name',
  'command-message',
  'command-contents',
  'local-command-caveat',
  'local-command-stdout',
  'local-command-stderr',
  'bash-input',
  'bash-stdout',
  'bash-stderr',
  'user-prompt-submit-hook',
  'session-start-hook',
  'post-tool-use-hook',
  'ide_opened_file',
  'ide_selection',
  'ide_diagnostics',
  'new-diagnostics',
  'task-notification',
  'agent-notification',
  'user-memory-input',
  'think',
  'thinking',
] as const

/** A range of a text, end exclusive. */
interface Range {
  start: number
  end: number
}

/** A tag as found: where it stands, whether it opens or closes. */
interface Tag extends Range {
  name: string
  closes: boolean
}

/**
 * Takes out every block between `<tag …>` and `</tag>` of the given names, nested ones too. A tag that is never closed
 * takes the paragraph after it where it stands alone on its line; where it is only mentioned, it alone goes.
 * With `keepLines` the line breaks inside stay, so that line numbers still match. Linear in the text.
 */
export function removeTaggedBlocks(
  text: string,
  names: readonly string[],
  options: { keepLines?: boolean } = {},
): string {
  if (!text.includes('<')) return text
  const pattern = new RegExp(`<(/?)(${names.join('|')})(?:[ \\t][^<>\\n]{0,300})?/?>`, 'gi')
  const openTags = new Map<string, Tag[]>()
  const ranges: Range[] = []
  for (const match of text.matchAll(pattern)) {
    const tag: Tag = {
      name: (match[2] ?? '').toLowerCase(),
      closes: match[1] === '/',
      start: match.index,
      end: match.index + match[0].length,
    }
    const stack = openTags.get(tag.name) ?? []
    openTags.set(tag.name, stack)
    if (tag.closes) ranges.push({ start: stack.pop()?.start ?? tag.start, end: tag.end })
    else stack.push(tag)
  }
  ranges.push(...unclosedRanges(text, [...openTags.values()].flat()))
  return cutRanges(text, ranges, options.keepLines ?? false)
}

/** A tag inside the range of the one before it needs no look of its own: without that, many of them would cost their square. */
function unclosedRanges(text: string, tags: Tag[]): Range[] {
  const ranges: Range[] = []
  let covered = 0
  for (const tag of tags.sort((a, b) => a.start - b.start)) {
    if (tag.end <= covered) continue
    covered = unclosedEnd(text, tag)
    ranges.push({ start: tag.start, end: covered })
  }
  return ranges
}

function unclosedEnd(text: string, open: Range): number {
  const alone = (open.start === 0 || text[open.start - 1] === '\n') && (text[open.end] ?? '\n') === '\n'
  if (!alone) return open.end
  const blank = text.indexOf('\n\n', open.end)
  return blank < 0 ? text.length : blank
}

const RUNTIME_BLOCKS: readonly BlockForm[] = [
  { open: /<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>/g, close: '<<<END_OPENCLAW_INTERNAL_CONTEXT>>>' },
  { open: /\[\[OPENCLAW_INTERNAL_CONTEXT_BEGIN\]\]/g, close: '[[OPENCLAW_INTERNAL_CONTEXT_END]]' },
  { open: /<<<BEGIN_UNTRUSTED_CHILD_RESULT>>>/g, close: '<<<END_UNTRUSTED_CHILD_RESULT>>>' },
]

/** Takes out the blocks that OpenClaw's runtime adds; they nest, and one that is never closed takes the rest of the text. */
export function removeRuntimeBlocks(text: string): string {
  if (!text.includes('<<<') && !text.includes('[[')) return text
  let result = text
  for (const form of RUNTIME_BLOCKS) result = removeDelimited(result, form)
  return result
}

function removeDelimited(text: string, form: BlockForm): string {
  const opens = [...text.matchAll(form.open)].map((match) => ({ at: match.index, length: match[0].length, step: 1 }))
  const closes: typeof opens = []
  for (let at = text.indexOf(form.close); at >= 0; at = text.indexOf(form.close, at + form.close.length)) {
    closes.push({ at, length: form.close.length, step: -1 })
  }
  if (opens.length + closes.length === 0) return text
  const ranges: Range[] = []
  let depth = 0
  let start = 0
  for (const mark of [...opens, ...closes].sort((a, b) => a.at - b.at)) {
    if (depth === 0) start = mark.at
    depth = Math.max(0, depth + mark.step)
    if (depth === 0) ranges.push({ start, end: mark.at + mark.length })
  }
  if (depth > 0) ranges.push({ start, end: text.length })
  return cutRanges(text, ranges, false)
}

function cutRanges(text: string, ranges: readonly Range[], keepLines: boolean): string {
  if (ranges.length === 0) return text
  const parts: string[] = []
  let last = 0
  for (const { start, end } of [...ranges].sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (end <= last) continue
    const from = Math.max(start, last)
    parts.push(text.slice(last, from))
    if (keepLines) parts.push(text.slice(from, end).replace(/[^\n]+/g, ''))
    last = end
  }
  parts.push(text.slice(last))
  return parts.join('')
}
