import { type Migration, secureTables } from './migration.ts'

/**
 * Relationships between memories, reviews of contradictions, and which memories wait to be linked. Ends are named by ids, which need
 * not be there. The indexes by source and by target give the neighbours of a memory strongest first; those of explicit ones are small
 * and tell what has to follow an edit. Paths are looked up by their hash: they may be longer than an index entry.
 */
const STATEMENTS = `
  CREATE TABLE relationship (
    tenant text NOT NULL, source text COLLATE "C" NOT NULL, target text COLLATE "C" NOT NULL, type smallint NOT NULL,
    score double precision NOT NULL, found_by smallint NOT NULL, created_ms bigint NOT NULL, updated_ms bigint NOT NULL,
    detail text NOT NULL,
    PRIMARY KEY (tenant, source, target, type)
  );
  CREATE INDEX relationship_by_source ON relationship (tenant, source, score DESC);
  CREATE INDEX relationship_by_target ON relationship (tenant, target, score DESC);
  CREATE INDEX relationship_explicit_source ON relationship (tenant, source) WHERE found_by = 0;
  CREATE INDEX relationship_explicit_target ON relationship (tenant, target) WHERE found_by = 0;
  CREATE TABLE anchor (
    tenant text NOT NULL, id text COLLATE "C" NOT NULL, scope text NOT NULL, root text NOT NULL, path text NOT NULL,
    position integer NOT NULL, turn text, sketch bytea NOT NULL, successor text COLLATE "C", likeness double precision,
    PRIMARY KEY (tenant, id)
  );
  CREATE INDEX anchor_by_path ON anchor (tenant, hashtextextended(path, 0));
  CREATE INDEX anchor_by_successor ON anchor (tenant, successor) WHERE successor IS NOT NULL;
  CREATE TABLE review (
    tenant text NOT NULL, id text COLLATE "C" NOT NULL, first text COLLATE "C" NOT NULL, second text COLLATE "C" NOT NULL,
    status text NOT NULL, opened_ms bigint NOT NULL, detail text NOT NULL, history text NOT NULL,
    PRIMARY KEY (tenant, id), UNIQUE (tenant, first, second)
  );
  CREATE INDEX review_by_second ON review (tenant, second);
  CREATE INDEX review_by_status ON review (tenant, status, opened_ms);
  CREATE TABLE awaiting_link (
    tenant text NOT NULL, id text COLLATE "C" NOT NULL, mark bigint NOT NULL, PRIMARY KEY (tenant, id)
  );
  CREATE TABLE link_mark (tenant text PRIMARY KEY, value bigint NOT NULL);
`

export const RELATIONSHIPS: Migration = {
  name: 'relationships and reviews',
  apply: (session) =>
    session.exec(STATEMENTS + secureTables('relationship', 'anchor', 'review', 'awaiting_link', 'link_mark')),
}
