/** The service's answer was larger than any honest one. */
export class AnswerTooLarge extends Error {
  readonly maxBytes: number

  constructor(maxBytes: number) {
    super(`its answer is longer than ${maxBytes} bytes`)
    this.name = 'AnswerTooLarge'
    this.maxBytes = maxBytes
  }
}

/** A fetch that follows no redirect, which could carry texts to a host that nobody configured, and gives up an answer over `maxBytes`. */
export function boundedFetch(fetch: typeof globalThis.fetch, maxBytes: number): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, { ...init, redirect: 'manual' })
    const { body, status, statusText, headers } = response
    if (body === null) return response
    let size = 0
    const bounded = body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          size += chunk.length
          if (size > maxBytes) controller.error(new AnswerTooLarge(maxBytes))
          else controller.enqueue(chunk)
        },
      }),
    )
    return new Response(bounded, { status, statusText, headers })
  }
}
