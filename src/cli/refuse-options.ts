import { MadeleineError } from '../index.ts'

/**
 * Refuses options that say nothing in what is to be done: whoever gives one expects something of it. `doing` is what is done, in words.
 * Throws INVALID_OPTION that names them.
 */
export function refuseOptions<Flags extends object>(
  doing: string,
  flags: Flags,
  useless: ReadonlyArray<keyof Flags & string>,
): void {
  const given = useless.filter((name) => flags[name] !== undefined).map(toFlag)
  if (given.length === 0) return
  throw new MadeleineError('INVALID_OPTION', `Cannot ${doing} with ${given.join(' and ')}: it would change nothing`, {
    remedy: `Leave ${given.length === 1 ? 'it' : 'them'} out`,
  })
}

/** `minScore` as it is written: `--min-score`. */
function toFlag(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}
