/** Cues kept of one memory at most, 24 to 100: a list of short items as long as a memory can be has fewer. Characters of each, 80 to 400: a line, not the text. */
export const MAX_CUES = 64
export const MAX_CUE_CHARS = 200
/** Days between a text and the day that it names as due beyond which it is a fact about the future, 30 to 730. */
export const MAX_CUE_DAYS = 400
/** Version of what cues are read from a text: raise it when the same text gives others, so that stores read them anew. */
export const CUE_VERSION = 3
