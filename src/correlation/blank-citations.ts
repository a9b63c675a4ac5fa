const SAID = 'written|stated|noted|said|described|documented|recorded|agreed|listed|decided|shown|given'
/** Words that name where something stands. */
const CITES = [
  `as (?:${SAID}) (?:in|by|under)`,
  'see(?: also)?',
  'according to',
  String.raw`cf\.?|vgl\.?`,
  'siehe(?: auch)?|laut|nach|wie in',
  "voir(?: aussi)?|selon|d[’']après",
  'véase|según|como en',
].join('|')
/** A wikilink, a Markdown link, or a path of a file: "3/4" is none. */
const TARGET = [
  String.raw`\[\[[^[\]\n]{1,200}\]\]`,
  String.raw`\[[^[\]\n]{1,200}\]\([^()\s]{1,300}\)`,
  String.raw`(?:[\p{L}\p{N}_.-]{1,80}\/){1,8}[\p{L}\p{N}_-][\p{L}\p{N}_.-]{0,80}\.\p{L}[\p{L}\p{N}]{0,9}`,
  String.raw`[\p{L}\p{N}_-]{1,80}\.(?:md|markdown|txt|jsonl?)`,
].join('|')
const CITATION = new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${CITES}) (?:${TARGET})(?![\p{L}\p{N}/])`, 'giu')

/**
 * A text without what it says of where something else stands ("as written in memory/boiler.md"): that is said of the source, and no part
 * of what is stated. Every other character keeps its place.
 */
export function blankCitations(text: string): string {
  if (!/[[/]|\.(?:md|markdown|txt|jsonl?)\b/.test(text)) return text
  return text.replace(CITATION, (found) => found.replace(/[^\n]/g, ' '))
}
