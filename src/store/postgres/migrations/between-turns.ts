import { type Migration, secureTables } from './migration.ts'

/**
 * What memories say that matters between turns, by which version of the program it was read, and the named values of callers. A
 * value is kept as JSON, which carries every string of JavaScript.
 */
const STATEMENTS = `
  CREATE TABLE cue (
    tenant text NOT NULL, ordinal integer NOT NULL, number integer NOT NULL, kind smallint NOT NULL,
    due_ms double precision, said_ms double precision, detail text NOT NULL,
    PRIMARY KEY (tenant, ordinal, number)
  );
  CREATE INDEX cue_by_said ON cue (tenant, kind, said_ms DESC NULLS LAST);
  CREATE INDEX cue_by_due ON cue (tenant, kind, due_ms) WHERE due_ms IS NOT NULL;
  CREATE TABLE cue_reading (tenant text PRIMARY KEY, version integer NOT NULL);
  CREATE TABLE state (
    tenant text NOT NULL, key text COLLATE "C" NOT NULL, value text NOT NULL, PRIMARY KEY (tenant, key)
  );
`

export const BETWEEN_TURNS: Migration = {
  name: 'cues and named state',
  apply: (session) => session.exec(STATEMENTS + secureTables('cue', 'cue_reading', 'state')),
}
