import { InvalidArgumentError, Option } from 'commander'
import { nearestName } from './nearest.ts'

/** For a repeatable option. */
export function collect(value: string, previous: readonly string[] | undefined): string[] {
  return [...(previous ?? []), value]
}

/** A whole number of at least `min` and, where given, at most `max`. */
export function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER): (value: string) => number {
  return (value) => {
    const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN
    if (number >= min && number <= max) return number
    const range = max === Number.MAX_SAFE_INTEGER ? `from ${min}` : `from ${min} to ${max}`
    throw new InvalidArgumentError(`Allowed: a whole number ${range}.`)
  }
}

/** A number in [0,1]. */
export function share(value: string): number {
  const number = /^\d*\.?\d+$/.test(value) ? Number(value) : Number.NaN
  if (number >= 0 && number <= 1) return number
  throw new InvalidArgumentError('Allowed: a number from 0 to 1.')
}

/** An option that takes one of a few words; a slip is answered with the nearest. */
export function choiceOption<Choice extends string>(
  flags: string,
  description: string,
  choices: readonly Choice[],
): Option {
  return new Option(flags, `${description}: ${choices.join(', ')}`).argParser((value) => choose(value, choices))
}

/** An option that takes several of a few words, between commas, each once. */
export function choiceList<Choice extends string>(
  flags: string,
  description: string,
  choices: readonly Choice[],
): Option {
  return new Option(flags, `${description}: ${choices.join(', ')}`).argParser((value): Choice[] => [
    ...new Set(value.split(',').map((word) => choose(word.trim(), choices))),
  ])
}

function choose<Choice extends string>(value: string, choices: readonly Choice[]): Choice {
  const chosen = choices.find((choice) => choice === value)
  if (chosen !== undefined) return chosen
  const nearest = nearestName(value, choices)
  throw new InvalidArgumentError(`Allowed: ${choices.join(', ')}.${nearest ? ` Did you mean ${nearest}?` : ''}`)
}
