/**
 * English function words: they say little about what a text is about. They are indexed all the same (a query of
 * nothing else must still find its text) and left out of queries and lengths.
 */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was will with ' +
    'i me my we our you your he him his she her its them what which who whom do does did doing have has had having am been being were ' +
    'would should could can may might must shall from about against between through during before after above below up down out off ' +
    'over under again further once here when where why how all any both each few more most other some nor only own same so than too ' +
    'very s t just don now'
  ).split(' '),
)
