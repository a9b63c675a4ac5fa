import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { z } from 'zod'
import { MadeleineError } from '../../index.ts'

/** What went wrong, as `--json` of the command line tells it. */
export interface ToldError {
  code: string
  message: string
  remedy: string
}

/** Anything thrown in words for the caller: what happened, and what to do. */
export function describeError(error: unknown): ToldError {
  if (error instanceof MadeleineError) return { code: error.code, message: error.message, remedy: error.remedy }
  return {
    code: 'UNEXPECTED',
    message: error instanceof Error ? error.message : String(error),
    remedy:
      'This should not happen. Ask the owner of the memory to run `madeleine doctor`, and to report it if that finds nothing.',
  }
}

/** An answer that says why there is none. The protocol wants the failures of a tool so: the agent reads them and can do better. */
export function toErrorResult(error: unknown): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify({ error: describeError(error) }) }], isError: true }
}

/** Arguments that a schema refuses, as an INVALID_OPTION that names each of them, what is wrong, and what there is. */
export function argumentError(tool: string, error: z.ZodError, input: z.ZodObject): MadeleineError {
  const names = Object.keys(input.shape)
  return new MadeleineError('INVALID_OPTION', `Cannot call ${tool}: ${error.issues.map(describeIssue).join('; ')}`, {
    remedy: names.length > 0 ? `Its arguments are ${names.join(', ')}` : 'It takes no arguments',
  })
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const where = issue.path.join('.')
  if (issue.code === 'unrecognized_keys')
    return `there is no argument ${issue.keys.map((key) => [...issue.path, key].join('.')).join(', ')}`
  if (issue.code === 'invalid_type' && issue.message.endsWith('received undefined')) return `${where} is missing`
  return `${where}: ${issue.message.charAt(0).toLowerCase()}${issue.message.slice(1)}`
}
