/** How much a heartbeat tells its host. */
export type Verbosity = 'conversational' | 'standard' | 'detailed' | 'debug'
export const VERBOSITIES: readonly Verbosity[] = ['conversational', 'standard', 'detailed', 'debug']

/**
 * What the text of each verbosity may take: tokens (100 to 8,000; four characters each), signals, and characters of a quoted text. A
 * heartbeat is a message beside others in a context that the host pays for each time.
 */
export const HEARTBEAT_TEXT: Record<Verbosity, { tokens: number; signals: number; quoteChars: number }> = {
  conversational: { tokens: 350, signals: 3, quoteChars: 160 },
  standard: { tokens: 800, signals: 6, quoteChars: 220 },
  detailed: { tokens: 1600, signals: 12, quoteChars: 300 },
  debug: { tokens: 4000, signals: 40, quoteChars: 300 },
}
