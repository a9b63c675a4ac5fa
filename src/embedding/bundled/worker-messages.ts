import type { MessagePort } from 'node:worker_threads'
import { type ErrorCode, MadeleineError, messageOf } from '../../errors.ts'

/** A MadeleineError as it crosses threads. */
export interface Failure {
  code: ErrorCode
  message: string
  remedy: string
}

/**
 * From a worker to its pool.
 * - `ready`: first message of a worker that started; `shared` is handed to the workers that start later
 * - `unusable`: first and last message of a worker that could not start
 * - `reply`, `failure`: the answer to one request
 */
export type WorkerMessage<Shared, Reply> =
  | { kind: 'ready'; shared: Shared }
  | { kind: 'unusable'; failure: Failure }
  | { kind: 'reply'; reply: Reply }
  | { kind: 'failure'; failure: Failure }

/** What a worker is once it has started. */
export interface StartedWorker<Shared, Request, Reply> {
  shared: Shared
  answer(request: Request): Reply
}

/** Starts a worker and answers each request of its port with one message, in order. */
export function answerRequests<Shared, Request, Reply>(
  port: MessagePort,
  start: () => Promise<StartedWorker<Shared, Request, Reply>>,
): void {
  const send = (message: WorkerMessage<Shared, Reply>): void => port.postMessage(message)
  start().then(
    ({ shared, answer }) => {
      send({ kind: 'ready', shared })
      port.on('message', (request: Request) => {
        try {
          send({ kind: 'reply', reply: answer(request) })
        } catch (error) {
          send({ kind: 'failure', failure: toFailure(error) })
        }
      })
    },
    (error: unknown) => {
      send({ kind: 'unusable', failure: toFailure(error) })
    },
  )
}

function toFailure(error: unknown): Failure {
  if (error instanceof MadeleineError) return { code: error.code, message: error.message, remedy: error.remedy }
  return {
    code: 'EMBEDDING_UNAVAILABLE',
    message: `Cannot embed with the bundled model: ${messageOf(error)}.`,
    remedy: 'Please report this with the text that was embedded; keyword search serves meanwhile.',
  }
}
