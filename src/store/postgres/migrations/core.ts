import { type Migration, secureTables } from './migration.ts'

/**
 * Documents, memories and the keyword index. The shape is that of the SQLite store, with the tenant before every key, so that tables
 * can be partitioned or distributed by it: numbers of scopes, documents, segments and memories (`ordinal`) count within a tenant, and
 * none is ever used twice. `tenant` holds the next ones, and the change sequence, raised by every write that changes what processes
 * keep in memory. `structure` is its value at the last change of a roster.
 *
 * Names that may be long are looked up by their hash (`name_hash`): an index entry has 2700 bytes at most. Columns of bytes are kept
 * as they are (they are packed already), in the row where they fit.
 */
const STATEMENTS = `
  CREATE TABLE tenant (
    tenant text PRIMARY KEY,
    sequence bigint NOT NULL DEFAULT 0, structure bigint NOT NULL DEFAULT 0,
    next_ordinal integer NOT NULL DEFAULT 1, next_document integer NOT NULL DEFAULT 1,
    next_scope integer NOT NULL DEFAULT 1, next_segment integer NOT NULL DEFAULT 1,
    index_version text NOT NULL DEFAULT ''
  );
  CREATE TABLE scope (
    tenant text NOT NULL, number integer NOT NULL,
    agent text NOT NULL, project text NOT NULL, visibility text NOT NULL,
    PRIMARY KEY (tenant, number), UNIQUE (tenant, agent, project, visibility)
  );
  CREATE TABLE document (
    tenant text NOT NULL, number integer NOT NULL,
    root text NOT NULL, path text NOT NULL, name_hash text NOT NULL, path_hash text NOT NULL,
    is_remembered boolean NOT NULL, content_hash text NOT NULL, fingerprint text NOT NULL,
    chunker_version integer NOT NULL, indexed_at_ms double precision NOT NULL, memory_count integer NOT NULL,
    settled integer NOT NULL DEFAULT 0, is_partial boolean NOT NULL DEFAULT false, cursor text,
    PRIMARY KEY (tenant, number), UNIQUE (tenant, name_hash)
  );
  CREATE INDEX document_by_path ON document (tenant, path_hash);
  CREATE TABLE memory (
    tenant text NOT NULL, ordinal integer NOT NULL,
    id text NOT NULL, scope integer NOT NULL,
    importance double precision NOT NULL, state text NOT NULL DEFAULT 'active',
    text text NOT NULL, detail text NOT NULL, embed text,
    length integer NOT NULL, term_count integer NOT NULL,
    document integer NOT NULL, position integer NOT NULL, place_count integer NOT NULL,
    PRIMARY KEY (tenant, ordinal), UNIQUE (tenant, id)
  );
  CREATE INDEX memory_by_importance ON memory (tenant, importance) WHERE importance > 0.5;
  CREATE TABLE place (
    tenant text NOT NULL, document integer NOT NULL, position integer NOT NULL, ordinal integer NOT NULL,
    occurred_ms double precision, detail text NOT NULL, variant text,
    PRIMARY KEY (tenant, document, position)
  );
  CREATE INDEX place_by_ordinal ON place (tenant, ordinal);
  CREATE TABLE roster (
    tenant text NOT NULL, document integer NOT NULL, part integer NOT NULL, changed bigint NOT NULL, members bytea NOT NULL,
    PRIMARY KEY (tenant, document, part)
  );
  CREATE INDEX roster_by_changed ON roster (tenant, changed);
  CREATE TABLE segment (
    tenant text NOT NULL, number integer NOT NULL, first integer NOT NULL, last integer NOT NULL, memories integer NOT NULL,
    PRIMARY KEY (tenant, number)
  );
  CREATE TABLE posting_page (
    tenant text NOT NULL, segment integer NOT NULL, term text COLLATE "C" NOT NULL, data bytea NOT NULL,
    PRIMARY KEY (tenant, segment, term)
  );
  CREATE TABLE posting_block (
    tenant text NOT NULL, segment integer NOT NULL, term text COLLATE "C" NOT NULL, first integer NOT NULL, data bytea NOT NULL,
    PRIMARY KEY (tenant, segment, term, first)
  );
  ALTER TABLE roster ALTER COLUMN members SET STORAGE EXTERNAL;
  ALTER TABLE posting_page ALTER COLUMN data SET STORAGE EXTERNAL;
  ALTER TABLE posting_block ALTER COLUMN data SET STORAGE EXTERNAL;
  CREATE TABLE access (
    tenant text NOT NULL, id text NOT NULL, count integer NOT NULL, last text NOT NULL, PRIMARY KEY (tenant, id)
  );
  CREATE TABLE tombstone (
    tenant text NOT NULL, kind text NOT NULL, root text NOT NULL, key text NOT NULL, name_hash text NOT NULL,
    forgotten_at text NOT NULL, PRIMARY KEY (tenant, kind, name_hash)
  );
`

const TABLES = [
  ...['tenant', 'scope', 'document', 'memory', 'place', 'roster', 'segment', 'posting_page', 'posting_block', 'access'],
  'tombstone',
]

export const CORE: Migration = {
  name: 'documents, memories and the keyword index',
  apply: (session) => session.exec(STATEMENTS + secureTables(...TABLES)),
}
