import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The oldest server that the store runs on. */
const OLDEST = 15
const PROGRAMS = ['initdb', 'pg_ctl', 'postgres', 'pg_basebackup']

/** Folder of the programs of the newest PostgreSQL on this machine, where Debian keeps them or on the path; null without one. */
export function findBinaries(): string | null {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).map(Number) : []
  const installed = versions
    .filter((version) => version >= OLDEST)
    .sort((a, b) => b - a)
    .map((version) => join(debian, String(version), 'bin'))
  const onPath = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  const isWhole = (folder: string): boolean => PROGRAMS.every((program) => existsSync(join(folder, program)))
  return [...installed, ...onPath].find(isWhole) ?? null
}
