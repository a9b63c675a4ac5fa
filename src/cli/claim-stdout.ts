import { Writable } from 'node:stream'

/**
 * Takes stdout for one writer: what anybody else in this process writes there from now on goes to stderr. A stream that is not the
 * process's own has no other writers, and is given back as it is.
 */
export function claimStdout(stdout: NodeJS.WritableStream): Writable {
  if (stdout !== process.stdout) return stdout as Writable
  const { stderr } = process
  const write = process.stdout.write.bind(process.stdout)
  process.stdout.write = stderr.write.bind(stderr)
  const claimed = new Writable({
    decodeStrings: false,
    write: (chunk, encoding, done) => {
      write(chunk, encoding, done)
    },
  })
  process.stdout.on('error', (error) => claimed.destroy(error))
  return claimed
}
