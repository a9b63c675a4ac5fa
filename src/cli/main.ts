#!/usr/bin/env node
import { runCli } from './run-cli.ts'
import { processSurroundings } from './surroundings.ts'

// A reader that has seen enough (`| head -1`) closes the pipe: that is no failure.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    throw error
  })
}

process.exitCode = await runCli(process.argv.slice(2), processSurroundings())
