const MARK = '<<<(?:END_)?EXTERNAL_UNTRUSTED_CONTENT\\b[^>\\n]{0,200}>>>'
/** The mark at either end, behind the first one the line that names the kind of source, and the rule under it. */
const WRAPPER = new RegExp(`[ \\t]*${MARK}[ \\t]*(?:\\n(?:Source: [^\\n]{0,200}\\n---(?:\\n|$))?)?`, 'g')
/** The host's advice to the model in front of it. */
const NOTICE =
  /^SECURITY NOTICE: The following content is from an EXTERNAL, UNTRUSTED source[^\n]{0,200}\n?(?:[ \t]*- [^\n]{0,400}(?:\n|$)){0,16}\n?/gm

/** Text from outside (web pages, mails) without what the host wrote around it; the text itself stays. */
export function unwrapExternalContent(text: string): string {
  const rest = text.includes('SECURITY NOTICE') ? text.replace(NOTICE, '') : text
  return rest.includes('EXTERNAL_UNTRUSTED_CONTENT') ? rest.replace(WRAPPER, '') : rest
}
