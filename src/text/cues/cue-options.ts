/** Cues kept of one memory at most, 4 to 64, and characters of each, 80 to 400: a line, not the text. */
export const MAX_CUES = 24
export const MAX_CUE_CHARS = 200
/** Days between a text and the day that it names as due beyond which it is a fact about the future, 30 to 730. */
export const MAX_CUE_DAYS = 400
/** Version of what cues are read from a text: raise it when the same text gives others, so that stores read them anew. */
export const CUE_VERSION = 1
