import { existsSync } from 'node:fs'
import { appData, inHome, joinPath, xdgConfig } from '../host-folders.ts'
import { commandAndArgs, serverInJson } from '../server-entry.ts'
import type { WirableHost, WirePlaces } from '../wirable-host.ts'

/** Windsurf, and Devin Desktop, as it is called since June 2026: the newer name has a folder of its own. Where both are, both are wired. */
export const windsurf: WirableHost = {
  id: 'windsurf',
  name: 'Windsurf (Devin Desktop)',
  next: 'Refresh the list of MCP servers in the agent’s panel.',
  detect: (places) => foldersOf(places).some((folder) => existsSync(folder)),
  files(places, launch) {
    const [usual = '', ...others] = foldersOf(places)
    const found = [usual, ...others].filter((folder) => existsSync(folder))
    return (found.length > 0 ? found : [usual]).map((folder) =>
      serverInJson(joinPath(places, folder, 'mcp_config.json'), () => ['mcpServers'], commandAndArgs(launch)),
    )
  },
}

function foldersOf(places: WirePlaces): string[] {
  const newer = places.platform === 'win32' ? appData(places) : xdgConfig(places)
  return [inHome(places, '.codeium', 'windsurf'), joinPath(places, newer, 'devin')]
}
