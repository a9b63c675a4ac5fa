import type { ToolAnnotations } from '@modelcontextprotocol/sdk/types.js'
import type { z } from 'zod'
import type { Madeleine } from '../../index.ts'

/** What holds for every call, whatever its arguments say: fixed when the server starts. */
export interface ServerScope {
  /** Reading, and forgetting, stay in this project and in what is global. */
  project?: string
}

export interface ToolContext {
  engine: Madeleine
  scope: ServerScope
}

/** What a tool answers: one JSON document, and where it helps a sentence for the agent that stands beside it. */
export interface ToolAnswer {
  document: object
  hint?: string
}

/** A tool as the protocol lists it, with what it does. */
export interface Tool {
  readonly name: string
  readonly title: string
  /** One line; clients may show its first 60 characters only. */
  readonly description: string
  readonly input: z.ZodObject
  readonly output: z.ZodObject
  readonly annotations: ToolAnnotations
  /** What it answers, beside `disabled`, while the part that it asks is switched off. */
  readonly whenDisabled?: object
  /** Takes arguments that `input` accepted. Rejects with MadeleineError for what the engine refuses. */
  run(args: unknown, context: ToolContext): Promise<ToolAnswer>
}

/** A tool whose arguments have the type of its schema. */
export interface ToolDefinition<Input extends z.ZodObject> extends Omit<Tool, 'input' | 'run'> {
  input: Input
  run(args: z.output<Input>, context: ToolContext): Promise<ToolAnswer>
}

/** Makes a tool of its definition. Everything that it touches is on this machine, which its annotations say. */
export function defineTool<Input extends z.ZodObject>(definition: ToolDefinition<Input>): Tool {
  return {
    ...definition,
    annotations: { ...definition.annotations, openWorldHint: false },
    run: (args, context) => definition.run(definition.input.parse(args), context),
  }
}
