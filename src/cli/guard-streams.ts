/** A reader that has seen enough (`| head -1`) closes the pipe: that is no failure, and the process ends with 0. */
export function guardStreams(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(0)
      throw error
    })
  }
}
