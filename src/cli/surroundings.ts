import { homedir } from 'node:os'

/** All that the command line takes from the process it runs in. */
export interface Surroundings {
  env: NodeJS.ProcessEnv
  home: string
  cwd: string
  platform: NodeJS.Platform
  stdin: NodeJS.ReadableStream & { isTTY?: boolean }
  stdout: NodeJS.WritableStream & { isTTY?: boolean; columns?: number }
  stderr: NodeJS.WritableStream & { isTTY?: boolean; columns?: number }
}

/** The real process. */
export function processSurroundings(): Surroundings {
  const { env, platform, stdin, stdout, stderr } = process
  return { env, home: homedir(), cwd: process.cwd(), platform, stdin, stdout, stderr }
}
