import type { RecallRequest, RecallResponse } from '../../model/recall.ts'

/** What the warm process is asked: one JSON object a line, answered by one JSON object a line. */
export type WarmRequest = { token: string } & WarmCall

export type WarmCall =
  | { method: 'ping' }
  /** Answered when it comes to its end or after `deadlineMs`, whichever is first. */
  | { method: 'recall'; request: RecallRequest; deadlineMs: number }
  /** Answered as soon as it is written down; done afterwards. */
  | { method: 'index-transcript'; path: string }
  /** Answered at once; what was taken on is done before the process ends. */
  | { method: 'stop' }

export interface WarmState {
  pid: number
  version: string
  fingerprint: string
  startedAt: string
  /** Transcripts that wait to be indexed, the one at hand included. */
  errands: number
}

/** What each method answers. */
export interface WarmResults {
  ping: WarmState
  recall: RecallResponse
  'index-transcript': { isTaken: true }
  stop: { isEnding: true }
}

export type WarmAnswer<Method extends keyof WarmResults> =
  | { ok: true; result: WarmResults[Method] }
  | { ok: false; reason: string }

/** Collects what comes in pieces into lines; 'too-long' when one is longer than `maxBytes`. */
export function createLineReader(maxBytes: number): (piece: Buffer) => string[] | 'too-long' {
  let pieces: Buffer[] = []
  let held = 0
  return (piece) => {
    const lines: string[] = []
    let from = 0
    for (let end = piece.indexOf(10); end !== -1; end = piece.indexOf(10, from)) {
      lines.push(Buffer.concat([...pieces, piece.subarray(from, end)]).toString('utf8'))
      pieces = []
      held = 0
      from = end + 1
    }
    if (from < piece.length) pieces.push(piece.subarray(from))
    held += piece.length - from
    return held > maxBytes ? 'too-long' : lines
  }
}
