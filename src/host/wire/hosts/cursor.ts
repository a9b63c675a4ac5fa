import { existsSync } from 'node:fs'
import { inHome } from '../host-folders.ts'
import { commandAndArgs, serverInJson } from '../server-entry.ts'
import type { WirableHost } from '../wirable-host.ts'

/** Cursor, editor and command line: one file for all projects. */
export const cursor: WirableHost = {
  id: 'cursor',
  name: 'Cursor',
  next: 'Restart Cursor, or switch the server on in its MCP settings.',
  detect: (places) => existsSync(inHome(places, '.cursor')),
  files: (places, launch) => [
    serverInJson(inHome(places, '.cursor', 'mcp.json'), () => ['mcpServers'], commandAndArgs(launch)),
  ],
}
