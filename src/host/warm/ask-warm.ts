import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { WARM_MAX_REQUEST_BYTES } from '../host-options.ts'
import { isOwnFolder } from './own-folder.ts'
import { createLineReader, type WarmAnswer, type WarmCall, type WarmResults } from './protocol.ts'
import type { WarmCard, WarmPlace } from './warm-place.ts'

/** Who is said to listen at a place; null when nobody is, or when somebody else could have said so. */
export function readCard({ folder, card }: WarmPlace): WarmCard | null {
  try {
    if (!isOwnFolder(folder)) return null
    const said = JSON.parse(readFileSync(card, 'utf8')) as Partial<WarmCard>
    const isWhole = typeof said.token === 'string' && typeof said.fingerprint === 'string'
    return isWhole && typeof said.pid === 'number' ? (said as WarmCard) : null
  } catch {
    // No card: nobody listens, or not yet.
    return null
  }
}

/**
 * Asks the process at a place. Null when nobody answers within `waitMs`, whatever the reason: whoever asks has another way.
 * Never rejects, and holds nothing open.
 */
export function askWarm<Call extends WarmCall>(
  place: WarmPlace,
  call: Call,
  options: { token: string; waitMs: number },
): Promise<WarmAnswer<Call['method'] & keyof WarmResults> | null> {
  return new Promise((resolve) => {
    const socket = connect(place.socket)
    const read = createLineReader(WARM_MAX_REQUEST_BYTES)
    const timer = setTimeout(() => finish(null), options.waitMs)
    const finish = (answer: WarmAnswer<Call['method'] & keyof WarmResults> | null): void => {
      clearTimeout(timer)
      socket.destroy()
      resolve(answer)
    }
    socket.on('error', () => finish(null))
    socket.on('close', () => finish(null))
    socket.on('data', (piece: Buffer) => {
      const lines = read(piece)
      if (lines === 'too-long') finish(null)
      else if (lines[0] !== undefined) finish(parseAnswer(lines[0]))
    })
    socket.on('connect', () => socket.write(`${JSON.stringify({ token: options.token, ...call })}\n`))
  })
}

function parseAnswer<Method extends keyof WarmResults>(line: string): WarmAnswer<Method> | null {
  try {
    const answer = JSON.parse(line) as { ok?: unknown } | null
    return typeof answer?.ok === 'boolean' ? (answer as WarmAnswer<Method>) : null
  } catch {
    // Somebody who does not speak this language.
    return null
  }
}
