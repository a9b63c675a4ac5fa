/** Lines of a document as hits and the recalled block name them: `path:12-20`, or `path:12` for one line. */
export interface NamedLines {
  path: string
  from: number
  /** Last line, inclusive; less than `from` where somebody wrote it so. */
  to: number
}

/** Takes `path:12-20` or `path:12` apart; undefined when a name does not end so. Whether there are such lines is not looked at. */
export function parsePlaceName(name: string): NamedLines | undefined {
  const match = /^(.+):(\d{1,9})(?:-(\d{1,9}))?$/s.exec(name)
  if (!match?.[1]) return undefined
  return { path: match[1], from: Number(match[2]), to: Number(match[3] ?? match[2]) }
}
