import type { Tool } from './tool.ts'
import { forgetTool } from './tools/forget.ts'
import { getTool } from './tools/get.ts'
import { graphTool } from './tools/graph.ts'
import { heartbeatTool } from './tools/heartbeat.ts'
import { linkTool } from './tools/link.ts'
import { recallTool } from './tools/recall.ts'
import { relatedTool } from './tools/related.ts'
import { rememberTool } from './tools/remember.ts'
import { searchTool } from './tools/search.ts'
import { statusTool } from './tools/status.ts'

/** Every tool of the server, in the order in which clients list them. Another one is a file in `tools/` and a line here. */
export const TOOLS: readonly Tool[] = [
  searchTool,
  getTool,
  recallTool,
  rememberTool,
  forgetTool,
  relatedTool,
  linkTool,
  graphTool,
  heartbeatTool,
  statusTool,
]
