import { existsSync } from 'node:fs'
import { folderFrom, inHome, joinPath } from '../host-folders.ts'
import { commandAndArgs, isOurs, programsIn, SERVER_NAME, takenName } from '../server-entry.ts'
import { putTable, readTable, removeTable } from '../toml/edit-toml.ts'
import type { HostFile, Launch, WirableHost, WirePlaces } from '../wirable-host.ts'

const PLACE = ['mcp_servers', SERVER_NAME]
const REMARK = 'Put here by `madeleine init --wire codex`; `madeleine init --unwire codex` takes it out.'

/** Codex: command line, editor extension and desktop program share one file. */
export const codex: WirableHost = {
  id: 'codex',
  name: 'Codex',
  next: 'Start Codex anew; /mcp lists the server.',
  detect: (places) => existsSync(folderOf(places)),
  files: (places, launch) => [serverInToml(joinPath(places, folderOf(places), 'config.toml'), launch)],
}

function folderOf(places: WirePlaces): string {
  return folderFrom(places, 'CODEX_HOME', inHome(places, '.codex'))
}

function serverInToml(path: string, launch: Launch): HostFile {
  const table = { path: PLACE, values: commandAndArgs(launch), remark: REMARK }
  return {
    path,
    wire(text = '') {
      const existing = readTable(text, PLACE)
      if (existing === undefined) return putTable(text, table)
      if (!isOurs(existing)) throw takenName(text, PLACE)
      return isUpToDate(existing, table.values) ? text : putTable(text, table)
    },
    unwire: (text) => (isOurs(readTable(text, PLACE)) ? removeTable(text, table) : text),
    look(text) {
      const existing = readTable(text, PLACE)
      return isOurs(existing)
        ? { present: 1, wanted: 1, programs: programsIn(existing) }
        : { present: 0, wanted: 1, programs: [] }
    },
  }
}

/** Flags that the user has added behind ours do not count. */
function isUpToDate(existing: Record<string, unknown>, wanted: Record<string, unknown>): boolean {
  return Object.entries(wanted).every(([name, value]) => {
    const own = existing[name]
    const compared = Array.isArray(own) && Array.isArray(value) ? own.slice(0, value.length) : own
    return JSON.stringify(compared) === JSON.stringify(value)
  })
}
