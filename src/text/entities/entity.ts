/** What an entity is, by its form. */
export type EntityKind =
  | 'url'
  | 'email'
  | 'path'
  | 'host'
  | 'ip'
  | 'port'
  | 'issue'
  | 'commit'
  | 'version'
  | 'handle'
  | 'identifier'
  | 'date'
  | 'amount'
  | 'name'

/** Something that a text names. Offsets are UTF-16 units of the text, `end` not included. */
export interface Entity {
  kind: EntityKind
  /** The same for every way to write it that means the same, whatever its kind. */
  key: string
  start: number
  end: number
}
