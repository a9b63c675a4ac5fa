import { EXIT } from './exit-codes.ts'
import { outputError, printError } from './output.ts'
import { processSurroundings } from './surroundings.ts'

/**
 * Outlives streams that break. A reader that has seen enough (`| head -1`) closes the pipe, which is no failure; output that cannot
 * be written for another reason, such as a full disk, is one (exit 1). The exit code of what failed otherwise stays.
 */
export function guardStreams(): void {
  let isTold = false
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (isTold || isClosedPipe(error)) return
    isTold = true
    printError(outputError(error), processSurroundings(), process.argv.includes('--json'))
  })
  // Nobody is left who could be told; the exit code still says how it went.
  process.stderr.on('error', () => undefined)
  process.on('exit', () => {
    if (isTold) process.exitCode ||= EXIT.unexpected
  })
}

/** Whoever read has gone, or the stream ended with that before. */
function isClosedPipe({ code }: NodeJS.ErrnoException): boolean {
  return code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED'
}
