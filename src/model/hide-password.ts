/** A text as it may be shown: of a URL without its password, and without the value of a parameter that is one. */
export function hidePassword(text: string): string {
  return text
    .replace(/^([a-z][a-z0-9+.-]*:\/\/[^:@/?#]*):.*@/i, '$1:***@')
    .replace(/([?&](?:password|sslpassword)=)[^&#]*/gi, '$1***')
}

/** A URL without its password, for files of other programs: who opens it takes the password from PGPASSWORD or ~/.pgpass. */
export function dropPassword(text: string): string {
  return text
    .replace(/^([a-z][a-z0-9+.-]*:\/\/[^:@/?#]*):.*@/i, '$1@')
    .replace(/([?&])(?:password|sslpassword)=[^&#]*&?/gi, '$1')
}
