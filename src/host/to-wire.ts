import type { HeartbeatResult, RecordedTick, SalienceReport } from '../index.ts'

/** The names of a value in snake_case, as doors write the heartbeat's documents. */
export type Wire<T> = T extends readonly (infer Item)[]
  ? Wire<Item>[]
  : T extends object
    ? { [Key in keyof T as Key extends string ? SnakeCase<Key> : Key]: Wire<T[Key]> }
    : T

type SnakeCase<Text extends string> = Text extends `${infer Head}${infer Rest}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${SnakeCase<Rest>}`
  : ''

/** What doors write: of a tick, of ticks that were, of what is important and goes stale. */
export type WireHeartbeat = Wire<HeartbeatResult>
export type WireTick = Wire<RecordedTick>
export type WireSalience = Wire<SalienceReport>

/** The same value with every name in snake_case; texts stay as they are. */
export function toWire<T>(value: T): Wire<T> {
  return rename(value) as Wire<T>
}

function rename(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rename)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [toSnakeCase(key), rename(inner)]))
}

function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
