import { existsSync, realpathSync } from 'node:fs'
import path from 'node:path'

/** Real path of the Git root at or above a folder, else of the folder; a folder that does not exist comes back as it is written. */
export function findProject(folder: string): string {
  if (!path.isAbsolute(folder) || !existsSync(folder)) return folder
  const real = realpathSync(folder)
  for (let at = real; ; at = path.dirname(at)) {
    if (existsSync(path.join(at, '.git'))) return at
    if (path.dirname(at) === at) return real
  }
}
