import { join } from 'node:path'
import { shortSha256 } from '../../model/short-sha256.ts'

/** Where the warm process of one store is found. */
export interface WarmPlace {
  /** For its user's eyes only. */
  folder: string
  /** A Unix socket, or a named pipe on Windows. */
  socket: string
  /** Who listens there, and the token that requests must carry; 0600. */
  card: string
  /** Held while a process makes itself the one. */
  lock: string
}

/** Whom a client finds at a place. */
export interface WarmCard {
  pid: number
  version: string
  /** Of the settings that it was started with. */
  fingerprint: string
  token: string
  /** ISO instant. */
  startedAt: string
}

/** Longest path of a socket that every system takes, bytes. */
const MAX_SOCKET_PATH = 100

/** The place for a store: one for each user and store. `shortFolder` is where sockets go whose path would be too long. */
export function warmPlace(options: {
  dataFolder: string
  store: string
  home: string
  platform: NodeJS.Platform
  shortFolder: string
}): WarmPlace {
  const { dataFolder, store, home, platform, shortFolder } = options
  const name = shortSha256(`${home}\0${store}`).slice(0, 16)
  const own = join(dataFolder, 'warm')
  const isLong = Buffer.byteLength(join(own, `${name}.sock`)) > MAX_SOCKET_PATH
  const folder = isLong ? join(shortFolder, `madeleine-${name}`) : own
  return {
    folder,
    socket: platform === 'win32' ? `\\\\.\\pipe\\madeleine-${name}` : join(folder, `${name}.sock`),
    card: join(folder, `${name}.json`),
    lock: join(folder, `${name}.lock`),
  }
}
