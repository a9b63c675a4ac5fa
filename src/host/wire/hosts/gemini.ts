import { existsSync } from 'node:fs'
import { folderFrom, joinPath } from '../host-folders.ts'
import { commandAndArgs, serverInJson } from '../server-entry.ts'
import type { WirableHost, WirePlaces } from '../wirable-host.ts'

/** Gemini CLI. GEMINI_CLI_HOME stands for the home folder that `.gemini` is in. */
export const gemini: WirableHost = {
  id: 'gemini',
  name: 'Gemini CLI',
  next: 'Start Gemini CLI anew; /mcp lists the server.',
  detect: (places) => existsSync(folderOf(places)),
  files: (places, launch) => [
    serverInJson(joinPath(places, folderOf(places), 'settings.json'), () => ['mcpServers'], commandAndArgs(launch)),
  ],
}

function folderOf(places: WirePlaces): string {
  return joinPath(places, folderFrom(places, 'GEMINI_CLI_HOME', places.home), '.gemini')
}
