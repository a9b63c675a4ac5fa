import { type Migration, secureTables } from './migration.ts'

/**
 * Vectors of memories. `embedding` says for which identity a memory has had its part (0: for none any more), and holds the windows
 * rounded to 8 bits a number: for each its scale (32 bits, little endian), then its numbers. It is what processes load and scan.
 * `vector_window` has the windows in full precision as numbers of the server's own, so that pgvector can index them where it is
 * installed, now or later: its indexes are over `exact::vector(n)`, one for each number of dimensions (`vectors/vector-indexes.ts`).
 * Equal texts have an equal `text_hash`, by which vectors are lent.
 */
const STATEMENTS = `
  CREATE TABLE embedding_identity (
    tenant text NOT NULL, number integer NOT NULL, name text NOT NULL, dimensions integer NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant, number), UNIQUE (tenant, name)
  );
  CREATE TABLE embedding (
    tenant text NOT NULL, ordinal integer NOT NULL, identity integer NOT NULL, windows integer NOT NULL,
    text_hash bytea NOT NULL, changed bigint NOT NULL, codes bytea NOT NULL,
    PRIMARY KEY (tenant, ordinal)
  );
  CREATE INDEX embedding_by_text ON embedding (tenant, text_hash);
  CREATE INDEX embedding_by_changed ON embedding (tenant, changed);
  CREATE TABLE vector_window (
    tenant text NOT NULL, ordinal integer NOT NULL, number integer NOT NULL,
    identity integer NOT NULL, dimensions integer NOT NULL, exact real[] NOT NULL,
    PRIMARY KEY (tenant, ordinal, number)
  );
  CREATE TABLE token_vectors (
    tenant text NOT NULL, ordinal integer NOT NULL, data bytea NOT NULL, PRIMARY KEY (tenant, ordinal)
  );
  ALTER TABLE embedding ALTER COLUMN codes SET STORAGE EXTERNAL;
  ALTER TABLE vector_window ALTER COLUMN exact SET STORAGE EXTERNAL;
  ALTER TABLE token_vectors ALTER COLUMN data SET STORAGE EXTERNAL;
`

export const VECTORS: Migration = {
  name: 'vectors',
  apply: (session) =>
    session.exec(STATEMENTS + secureTables('embedding_identity', 'embedding', 'vector_window', 'token_vectors')),
}
