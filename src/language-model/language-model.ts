/** One question to a language model. */
export interface CompletionRequest {
  /** What is asked of the model. */
  system: string
  /** What it is asked about. */
  prompt: string
  /** Longest answer, > 0; what is longer is cut by the model. */
  maxOutputTokens: number
  /** Gives the question up. */
  signal?: AbortSignal
}

export interface Completion {
  /** Never blank. */
  text: string
  /** The answer is longer than it may be: its end is missing. */
  isCut: boolean
  usage: CompletionUsage
}

/** What an answer took; null where the service does not say. */
export interface CompletionUsage {
  inputTokens: number | null
  outputTokens: number | null
  /** US dollars; null where no price is known. */
  cost: number | null
}

/**
 * Answers one question with one text.
 *
 * Contract:
 * - `complete` asks the service once: no second attempt, no tools, no further step.
 * - It rejects with `MODEL_UNAVAILABLE` when the service fails, refuses, gives no text, or cannot be reached, and with `INTERRUPTED` once
 *   `signal` is aborted, without waiting for the service. The message never holds a key, nor what was asked.
 * - Nothing is loaded and no connection is made before the first question; questions may be asked side by side.
 */
export interface LanguageModel {
  /** What it is, as answers and logs name it: `kind:model`. */
  readonly name: string
  complete(request: CompletionRequest): Promise<Completion>
}
