import { tmpdir } from 'node:os'
import { PassThrough, Readable } from 'node:stream'
import { runCli } from '../src/cli/run-cli.ts'

/** Runs a command line as a script would, within this process; without a model, unless the environment says otherwise. */
export async function runCommand(
  args: readonly string[],
  { env = {}, home = tmpdir() }: { env?: NodeJS.ProcessEnv; home?: string } = {},
): Promise<{ code: number; out: string; err: string }> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const code = await runCli([...args], {
    env: { MADELEINE_EMBEDDING: 'none', USER: 'vera', ...env },
    home,
    cwd: home,
    platform: 'linux',
    stdin: Readable.from([]),
    stdout,
    stderr,
  })
  const textOf = (stream: PassThrough): string => (stream.read() as Buffer | null)?.toString('utf8') ?? ''
  return { code, out: textOf(stdout), err: textOf(stderr) }
}
