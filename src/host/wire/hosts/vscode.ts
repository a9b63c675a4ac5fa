import { existsSync } from 'node:fs'
import { appData, firstExisting, folderFrom, joinPath } from '../host-folders.ts'
import { commandAndArgs, serverInJson } from '../server-entry.ts'
import type { WirableHost, WirePlaces } from '../wirable-host.ts'

/** Visual Studio Code: the user's own `mcp.json` of the default profile. */
export const vscode: WirableHost = {
  id: 'vscode',
  name: 'VS Code',
  next: 'Run “MCP: List Servers” in VS Code and start the server.',
  detect: (places) => existsSync(userFolder(places)),
  files: (places, launch) => [
    serverInJson(joinPath(places, userFolder(places), 'mcp.json'), () => ['servers'], {
      type: 'stdio',
      ...commandAndArgs(launch),
    }),
  ],
}

function userFolder(places: WirePlaces): string {
  const { VSCODE_PORTABLE: portable } = places.env
  if (portable) return joinPath(places, portable, 'user-data', 'User')
  const base = folderFrom(places, 'VSCODE_APPDATA', appData(places))
  const [stable, insiders] = ['Code', 'Code - Insiders'].map((product) => joinPath(places, base, product, 'User'))
  return firstExisting([stable ?? base, insiders ?? base, stable ?? base])
}
