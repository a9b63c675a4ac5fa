import { existsSync, readFileSync } from 'node:fs'
import { folderFrom, joinPath, resolveFrom, xdgConfig } from '../host-folders.ts'
import { readAt } from '../json/edit-json.ts'
import { serverCommand, serverInJson } from '../server-entry.ts'
import type { WirableHost, WirePlaces } from '../wirable-host.ts'

/** OpenCode 1 and 2. The second puts servers below `mcp.servers` and still reads those of the first. */
export const opencode: WirableHost = {
  id: 'opencode',
  name: 'OpenCode',
  next: 'Start OpenCode anew; `opencode mcp list` shows the server.',
  detect: (places) => existsSync(folderOf(places)),
  files: (places, launch) => [
    serverInJson(fileOf(places), serversIn, { type: 'local', command: serverCommand(launch) }),
  ],
}

function folderOf(places: WirePlaces): string {
  return folderFrom(places, 'OPENCODE_CONFIG_DIR', joinPath(places, xdgConfig(places), 'opencode'))
}

/** All files of the folder count; the one that names servers is the one that its user knows. */
function fileOf(places: WirePlaces): string {
  const { OPENCODE_CONFIG: named } = places.env
  if (named) return resolveFrom(places, named)
  const names = ['opencode.jsonc', 'opencode.json']
  const found = names.map((name) => joinPath(places, folderOf(places), name)).filter((path) => existsSync(path))
  return (
    found.find((path) => readFileSync(path, 'utf8').includes('"mcp"')) ??
    found[0] ??
    joinPath(places, folderOf(places), 'opencode.json')
  )
}

/** `mcp.servers` is a group of servers unless it is itself a server of that name. */
function serversIn(text: string): readonly string[] {
  const servers = readAt(text, ['mcp', 'servers'])
  const isGroup =
    typeof servers === 'object' &&
    servers !== null &&
    Object.values(servers).every((one) => typeof one === 'object') &&
    !Array.isArray(servers)
  return isGroup ? ['mcp', 'servers'] : ['mcp']
}
