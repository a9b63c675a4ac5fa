/** Marks the file as ours ("MADL"). */
export const APPLICATION_ID = 0x4d41444c

/**
 * How a file comes from one version of the schema to the next: entry n leads from version n to n + 1. Published entries
 * never change. What a migration must never touch: remembered memories, tombstones, accesses, state, explicit relationships
 * (`found_by` 0), their anchors and reviews.
 *
 * Shape: a document has places, a place holds a memory, and each memory shows the content of its canonical place (that at
 * `document` and `position`); a place whose content differs keeps it in `variant`. What is only read and shown is JSON
 * (`detail`, `variant`): a row of few columns is read several times faster. An
 * `ordinal` stands for one memory with one set of terms and one embed text: when these change, the memory gets a new one, and
 * none is ever used again, so that readers can keep what they know of an ordinal. `roster` is what they load: for each document
 * the facts of its memories, packed in parts by position, with the sequence number of the last change. `reading` is how far a
 * document that is read in parts has been read: places before `settled` stay when it is read on from `cursor`.
 *
 * A relationship names its ends by the numbers of `node`, which stand for ids: a million of them stay small, and what cannot be
 * rebuilt names ids that may not be there. The indexes by source and by target hold all that a choice among the neighbours of a
 * memory looks at, strongest first. `relationship_explicit` holds explicit ones whole, a second way to them when pages are damaged.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value ANY NOT NULL) WITHOUT ROWID;
  INSERT INTO meta VALUES ('sequence', 0), ('next_ordinal', 1), ('index_version', ''), ('is_log_unscrubbed', 0);
  CREATE TABLE scope (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant TEXT NOT NULL, agent TEXT NOT NULL, project TEXT NOT NULL, visibility TEXT NOT NULL,
    UNIQUE (tenant, agent, project, visibility)
  );
  CREATE TABLE document (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    root TEXT NOT NULL, path TEXT NOT NULL, tenant TEXT NOT NULL, is_remembered INTEGER NOT NULL,
    content_hash TEXT NOT NULL, fingerprint TEXT NOT NULL, chunker_version INTEGER NOT NULL,
    indexed_at_ms INTEGER NOT NULL, memory_count INTEGER NOT NULL,
    UNIQUE (path, root)
  );
  CREATE TABLE memory (
    ordinal INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    scope INTEGER NOT NULL REFERENCES scope (id),
    importance REAL NOT NULL, state TEXT NOT NULL DEFAULT 'active',
    text TEXT NOT NULL, detail TEXT NOT NULL, embed TEXT, length INTEGER NOT NULL, term_count INTEGER NOT NULL,
    document INTEGER NOT NULL, position INTEGER NOT NULL, place_count INTEGER NOT NULL
  );
  CREATE TABLE place (
    document INTEGER NOT NULL REFERENCES document (id),
    position INTEGER NOT NULL,
    ordinal INTEGER NOT NULL REFERENCES memory (ordinal) DEFERRABLE INITIALLY DEFERRED,
    occurred_ms INTEGER, detail TEXT NOT NULL, variant TEXT,
    PRIMARY KEY (document, position)
  ) WITHOUT ROWID;
  CREATE INDEX place_by_ordinal ON place (ordinal);
  CREATE TABLE roster (document INTEGER PRIMARY KEY, changed INTEGER NOT NULL, members BLOB NOT NULL);
  CREATE INDEX roster_by_changed ON roster (changed);
  CREATE TABLE segment (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    first INTEGER NOT NULL, last INTEGER NOT NULL, memories INTEGER NOT NULL
  );
  CREATE TABLE posting_page (
    segment INTEGER NOT NULL, term TEXT NOT NULL, data BLOB NOT NULL, PRIMARY KEY (segment, term)
  ) WITHOUT ROWID;
  CREATE TABLE posting_block (
    segment INTEGER NOT NULL, term TEXT NOT NULL, first INTEGER NOT NULL, data BLOB NOT NULL,
    PRIMARY KEY (segment, term, first)
  ) WITHOUT ROWID;
  CREATE TABLE identity (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, dimensions INTEGER);
  CREATE TABLE embedding (
    ordinal INTEGER PRIMARY KEY REFERENCES memory (ordinal) DEFERRABLE INITIALLY DEFERRED,
    identity INTEGER NOT NULL REFERENCES identity (id),
    windows INTEGER NOT NULL, text_hash INTEGER NOT NULL,
    page INTEGER REFERENCES vector_page (id) DEFERRABLE INITIALLY DEFERRED,
    exact INTEGER REFERENCES vector_exact (id) DEFERRABLE INITIALLY DEFERRED,
    changed INTEGER NOT NULL
  );
  CREATE INDEX embedding_by_text ON embedding (text_hash);
  CREATE INDEX embedding_by_changed ON embedding (changed);
  CREATE TABLE vector_page (
    id INTEGER PRIMARY KEY AUTOINCREMENT, identity INTEGER NOT NULL REFERENCES identity (id),
    rows INTEGER NOT NULL, changed INTEGER NOT NULL, data BLOB NOT NULL
  );
  CREATE INDEX vector_page_by_changed ON vector_page (identity, changed);
  CREATE TABLE vector_exact (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
  CREATE TABLE access (id TEXT PRIMARY KEY, count INTEGER NOT NULL, last TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE tombstone (
    kind TEXT NOT NULL, tenant TEXT NOT NULL, root TEXT NOT NULL, key TEXT NOT NULL, forgotten_at TEXT NOT NULL,
    PRIMARY KEY (kind, tenant, root, key)
  ) WITHOUT ROWID;
  CREATE TABLE state (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  `,
  // Rosters in parts, so that a long document's is not written as a whole for each addition. They are made anew with the index.
  `
  DROP TABLE roster;
  CREATE TABLE roster (
    document INTEGER NOT NULL, part INTEGER NOT NULL, changed INTEGER NOT NULL, members BLOB NOT NULL,
    UNIQUE (document, part)
  );
  CREATE INDEX roster_by_changed ON roster (changed);
  CREATE TABLE reading (
    document INTEGER PRIMARY KEY, settled INTEGER NOT NULL, is_partial INTEGER NOT NULL, cursor TEXT NOT NULL
  );
  UPDATE meta SET value = '' WHERE key = 'index_version';
  `,
  // Relationships between memories, reviews of contradictions, and which memories wait to be linked: all of them, at first.
  `
  INSERT INTO meta VALUES ('link_mark', 0);
  CREATE TABLE node (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE);
  CREATE TABLE relationship (
    source INTEGER NOT NULL, target INTEGER NOT NULL, type INTEGER NOT NULL,
    score REAL NOT NULL, found_by INTEGER NOT NULL, created_ms INTEGER NOT NULL, updated_ms INTEGER NOT NULL,
    detail TEXT NOT NULL,
    PRIMARY KEY (source, target, type)
  ) WITHOUT ROWID;
  CREATE INDEX relationship_by_source ON relationship (source, score DESC, found_by);
  CREATE INDEX relationship_by_target ON relationship (target, score DESC, found_by);
  CREATE INDEX relationship_explicit ON relationship
    (source, target, type, score, found_by, created_ms, updated_ms, detail) WHERE found_by = 0;
  CREATE TABLE anchor (
    id TEXT PRIMARY KEY, scope TEXT NOT NULL, root TEXT NOT NULL, path TEXT NOT NULL, position INTEGER NOT NULL,
    turn TEXT, sketch BLOB NOT NULL, successor TEXT, likeness REAL
  ) WITHOUT ROWID;
  CREATE INDEX anchor_by_document ON anchor (path, root);
  CREATE TABLE review (
    id TEXT PRIMARY KEY, first TEXT NOT NULL, second TEXT NOT NULL, status TEXT NOT NULL, opened_ms INTEGER NOT NULL,
    detail TEXT NOT NULL, history TEXT NOT NULL,
    UNIQUE (first, second)
  ) WITHOUT ROWID;
  CREATE INDEX review_by_second ON review (second);
  CREATE INDEX review_by_status ON review (status, opened_ms, id);
  CREATE TABLE awaiting_link (id TEXT PRIMARY KEY, mark INTEGER NOT NULL) WITHOUT ROWID;
  INSERT INTO awaiting_link SELECT id, 0 FROM memory;
  `,
  // Vectors of the words of a memory, for late interaction.
  `
  CREATE TABLE token_vectors (ordinal INTEGER PRIMARY KEY, data BLOB NOT NULL);
  `,
  // What memories say that matters between turns; read off the texts when the store is opened.
  `
  INSERT INTO meta VALUES ('cue_version', 0);
  CREATE TABLE cue (
    ordinal INTEGER NOT NULL, number INTEGER NOT NULL, kind INTEGER NOT NULL, due_ms INTEGER, said_ms INTEGER,
    detail TEXT NOT NULL, PRIMARY KEY (ordinal, number)
  ) WITHOUT ROWID;
  CREATE INDEX cue_by_said ON cue (kind, said_ms DESC);
  CREATE INDEX cue_by_due ON cue (kind, due_ms) WHERE due_ms IS NOT NULL;
  CREATE INDEX memory_by_importance ON memory (importance) WHERE importance > 0.5;
  `,
]

/** The version of the schema that this program writes. */
export const SCHEMA_VERSION = MIGRATIONS.length
