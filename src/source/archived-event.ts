import { isObject } from './transcript-format.ts'

/**
 * OpenClaw puts old sessions away as records of its store, one a line; those of kind `event` hold a line of the transcript as
 * text. That line's value for such a record, every other value as it is. Throws where the line is not valid JSON.
 */
export function unwrapArchivedEvent(value: unknown): unknown {
  if (!isObject(value) || value.kind !== 'event' || !isObject(value.row)) return value
  return typeof value.row.event_json === 'string' ? JSON.parse(value.row.event_json) : value
}
