import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js'
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'
import { type Clock, collectCorrelationReport, formatCorrelationReport, MadeleineError } from '../../index.ts'
import { idsOfNames } from '../related-memories.ts'
import { takeText } from './answer-budget.ts'
import type { EngineDoor } from './engine-door.ts'
import type { ServerScope } from './tool.ts'
import { describeError } from './tool-error.ts'
import { readStatus } from './tools/status.ts'

const STATUS_URI = 'memory://report/status'
const RELATIONSHIPS_URI = 'memory://report/relationships'
const MEMORY_URI = 'memory://memory/{id}'
/** The protocol's own number for a resource that is not there. */
const RESOURCE_NOT_FOUND = -32_002

interface ResourceParts {
  door: EngineDoor
  scope: ServerScope
  now: Clock
}

/** What a client can attach without a tool: the status report, and any memory or document by id or (encoded) path. */
export function addResources(mcp: McpServer, parts: ResourceParts): void {
  const { door } = parts
  mcp.registerResource(
    'status',
    STATUS_URI,
    {
      title: 'Status of the memory',
      description: 'What is indexed and what was skipped',
      mimeType: 'application/json',
    },
    async ({ href: uri }) => {
      const report = await read(() => door.use((engine) => readStatus(engine)))
      return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(report) }] }
    },
  )
  addReports(mcp, parts)
  mcp.registerResource(
    'memory',
    new ResourceTemplate(MEMORY_URI, { list: undefined }),
    {
      title: 'A memory',
      description: 'A memory by its id, or a document by its encoded path',
      mimeType: 'text/markdown',
    },
    async ({ href: uri }, { id }) => {
      const text = await read(() => readMemory(decode(String(id)), parts))
      return { contents: [{ uri, mimeType: 'text/markdown', text }] }
    },
  )
}

/** The report on relationships: around the best connected memories, and around one. */
function addReports(mcp: McpServer, parts: ResourceParts): void {
  const description = 'How memories bear on each other, and what to look at'
  const answer = async (uri: string, names: readonly string[]) => ({
    contents: [{ uri, mimeType: 'text/markdown', text: await read(() => writeReport(names, parts)) }],
  })
  mcp.registerResource(
    'relationships',
    RELATIONSHIPS_URI,
    { title: 'Relationships between memories', description, mimeType: 'text/markdown' },
    ({ href }) => answer(href, []),
  )
  mcp.registerResource(
    'relationships-of',
    new ResourceTemplate(`${RELATIONSHIPS_URI}/{id}`, { list: undefined }),
    { title: 'Relationships of a memory', description, mimeType: 'text/markdown' },
    ({ href }, { id }) => answer(href, [decode(String(id))]),
  )
}

async function writeReport(names: readonly string[], { door, scope, now }: ResourceParts): Promise<string> {
  const report = await door.use(async (engine) => {
    const memoryIds = await idsOfNames(engine, scope, names)
    return formatCorrelationReport(await collectCorrelationReport(engine, { ...scope, memoryIds }, now()))
  })
  const { text, nextOffset } = takeText(report, 0, {})
  return nextOffset === undefined ? text : `${text}\n\n[cut here: memory_graph gives all of it in parts]`
}

/** The beginning of a long text, and how to read on. */
async function readMemory(id: string, { door, scope }: ResourceParts): Promise<string> {
  const { text: whole, truncated } = await door.use((engine) => engine.get(id, scope))
  const { text, nextOffset } = takeText(whole, 0, {})
  return truncated || nextOffset !== undefined ? `${text}\n\n[cut here: memory_get reads on]` : text
}

function decode(encoded: string): string {
  try {
    return decodeURIComponent(encoded)
  } catch {
    // A percent sign that encodes nothing is one.
    return encoded
  }
}

/** Failures as the protocol tells them of resources: with a number, the remedy in the message. */
async function read<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const told = describeError(error)
    const isUnknown = error instanceof MadeleineError && error.code === 'NOT_FOUND'
    throw new McpError(
      isUnknown ? RESOURCE_NOT_FOUND : ErrorCode.InternalError,
      `${told.message}. ${told.remedy}`,
      told,
    )
  }
}
