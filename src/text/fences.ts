/**
 * A fenced block of code with its fences, to the end of the text where nothing closes it. A fence of tildes is all of them: a line of
 * thousands that opens nothing would else be tried at each of its lengths.
 */
export const FENCED_BLOCK = /^ {0,3}(`{3,}|~{3,}(?!~))[^\n`]*\n[\s\S]*?(?:^ {0,3}\1[`~]*[ \t]*$|(?![\s\S]))/gm

/** The same, in quotes and lists too. */
export const NESTED_FENCED_BLOCK =
  /^(?:[ \t]*(?:>|[-*+]|\d{1,9}[.)])){0,8}[ \t]*(`{3,}|~{3,}(?!~))[^\n`]*\n[\s\S]*?(?:^(?:[ \t]*>){0,8}[ \t]*\1[`~]*[ \t]*$|(?![\s\S]))/gm
