/**
 * Every tunable: default, unit, range, reason. Values marked (S1)–(S4) come from the product's founding texts:
 * S1 proactive context linking, S2 cross-tier correlator, S3 auto-recall, S4 enhanced memory.
 */

/** BM25 term saturation, [0.5,2]: short texts repeat little, so saturation comes early. */
export const BM25_K1 = 0.9
/** BM25 length normalisation, [0,1]: turns and sections differ in length for good reasons, so it is weak. */
export const BM25_B = 0.4
/** Neighbours on each side that make a memory's window, in memories. */
export const WINDOW_RADIUS = 2

/** Largest chunk in UTF-16 units, everything that is added to it included. (S4) */
export const MAX_CHUNK_CHARS = 2000
/** Characters of the turn before that are embedded with a turn, [0,500]: enough for the question, too few to drown the answer. */
export const CONTEXT_TAIL_CHARS = 200
/** Characters of title and headings that are embedded with a section, [0,1000]: the model reads little, and the text must stay in sight. */
export const MAX_EMBED_HEADER_CHARS = 300
/** Longest head of a cut table or code block that its pieces repeat, [0,1000]: more would leave too little room for rows. */
export const MAX_REPEATED_CHARS = 500
/** Longest heading in a header path, UTF-16 units, [50,500]: a line over it is text that happens to begin with #. */
export const MAX_HEADING_CHARS = 200
/** Importance of what says nothing about it, [0,1]. */
export const DEFAULT_IMPORTANCE = 0.5
/**
 * A text whose normal form is shorter, in characters, [0,500], means what its surroundings make it mean: equal ones are not
 * duplicates across places. Texts of 80 characters as they are written have about so many.
 */
export const MIN_DUPLICATE_CHARS = 72
/**
 * So many characters are searched for signs of secrets one sign at a time before a table of all signs is made, 0 to 100,000: a hook sees one
 * prompt, and the table takes what some 10,000 characters take without it.
 */
export const LITERAL_TABLE_CHARS = 10_000
/** Version of normalize and chunk: raise it when the same file gives other memories, so that stores re-index. */
export const CHUNKER_VERSION = 6
/** Characters kept of one tool result, head and tail together. */
export const MAX_TOOL_RESULT_CHARS = 6000

/** Tokens that two windows of a long text share, [0,127]: a sentence on the seam stands whole in one of them. */
export const WINDOW_OVERLAP_TOKENS = 32
/** Texts a call to the bundled model: enough to keep every thread busy. */
export const BUNDLED_EMBEDDING_BATCH = 64
/** Threads of the bundled model at most, unless the caller says otherwise: more of them crowd out the host. */
export const BUNDLED_EMBEDDING_THREADS = 4
/** Tokens that a thread embeds at one go, at least 256: a query waits that long (about 80 ms) when all threads are busy. */
export const BUNDLED_UNIT_TOKENS = 256
/** Characters that a thread tokenises at one go (about 10 ms). */
export const BUNDLED_UNIT_CHARS = 65_536

/**
 * Word vectors kept of one memory at most, 16 to 256: of a longer text the means of neighbours. It bounds what a memory takes in the file
 * (3 kB) and what comparing it costs.
 */
export const MAX_TOKEN_VECTORS = 64
/** How much a single character of Latin script, or of a script of words, counts among a query's words, which have ln of their rank. */
export const CHARACTER_WEIGHTS = { latin: 0.5, other: 5 } as const
/** Words of a query that are compared one by one at most, the rarest: what a pasted text costs must be bounded. */
export const MAX_QUERY_TOKENS = 32

/** Texts a call to a remote embedding service. (S4) */
export const REMOTE_EMBEDDING_BATCH = 20
/** Time for one embedding request of documents, ms: a local server may first have to load the model. */
export const REMOTE_TIMEOUT_MS = 60_000
/** Attempts at one request of documents, the first included, ≥ 1: enough to outlast a restart or a rate limit. */
export const REMOTE_TRIES = 5
/** First pause between two attempts where the service names none, ms; it doubles each time. */
export const REMOTE_BACKOFF_MS = 1000
/** A service that asks to wait longer than this, ms, is given up for this run; the next one resumes. */
export const REMOTE_MAX_WAIT_MS = 120_000
/** Time for all that a query asks of the service, attempts and pauses together, ms: somebody is waiting, and keywords can answer. */
export const REMOTE_QUERY_TIMEOUT_MS = 4000
/** Attempts at one request of a query, and the longest pause between them, ms. */
export const REMOTE_QUERY_TRIES = 2
export const REMOTE_QUERY_MAX_WAIT_MS = 3000
/** An answer longer than this, bytes, is given up: the largest honest one, 20 vectors of 8,192 numbers, has about 4 MB. */
export const REMOTE_MAX_ANSWER_BYTES = 32 * 1024 * 1024
/** Longest text sent as one input, characters: about 2,000 tokens, which every hosted model reads whole. */
export const REMOTE_WINDOW_CHARS = 8000
/** Characters taken for one token of a model with a known short window: English has 4, so that most texts fit at once. */
export const REMOTE_CHARS_PER_TOKEN = 3
/** A refused text is halved until its pieces are this short, characters: then length is not what is wrong with it. */
export const REMOTE_MIN_WINDOW_CHARS = 200

/** Weights of the four retrieval signals. (S4) */
export const SEED_WEIGHTS = { vector: 0.4, keyword: 0.25, header: 0.1, filepath: 0.25 } as const
/** Factor on memories of the day or range that a query names. (S4) */
export const TEMPORAL_BOOST = 3
/** Below this top score a query is expanded with terms of its first results. (S4) */
export const FEEDBACK_BELOW = 0.45
/** A text of which cleaning leaves less than this share is a wrapper, not a memory. (S3) */
export const MIN_CONTENT_RATIO = 0.25
/** Leading characters of the cleaned body that make two results the same. (S3) */
export const DUPLICATE_KEY_CHARS = 100

/** Results of an explicit search unless the caller says otherwise. */
export const DEFAULT_LIMIT = 8
/** Characters of a hit's snippet; the host cuts at the same length. */
export const SNIPPET_CHARS = 700

/** Time for a recall before a turn, ms: then keyword-only, then nothing. (S3) */
export const RECALL_DEADLINE_MS = 800
/** Tokens that the injected block may take; a token is taken as four characters. */
export const RECALL_TOKEN_BUDGET = 1000

/** How long a writer waits for another process, ms. */
export const STORE_BUSY_MS = 10_000
/** A write that held others up this long, ms, lets them go first before the next one. */
export const STORE_LONG_WRITE_MS = 100
/** How long a waiting writer sleeps before it tries again, ms: short beside a write, long beside the cost of trying. */
export const STORE_RETRY_MS = 10
/** Of an export that is read in: memories that go into a store in one write, and other records, 100 to 10,000: others get their turn between them. */
export const ARCHIVE_BATCH = { memories: 1000, records: 500 } as const
/** Longest line of an export, bytes: of a longer one the file is none. */
export const ARCHIVE_MAX_LINE = 256 * 1024 * 1024
/** Characters of a relationship's reason, and of its metadata as JSON, 100 to 100,000: notes about it, not documents. */
export const RELATIONSHIP_CHARS = { reason: 500, metadata: 10_000 } as const
/** Hashes of words kept of a text to find it again after an edit, 16 to 256: what 64 say of likeness is right within 0.06. */
export const SKETCH_HASHES = 64
/**
 * Least likeness, shared words among all words, [0,1], of an edited text to what explicit relationships and reviews were on: where it
 * stands in the same place of its document, and where it stands elsewhere in it. Below it is another text.
 */
export const FOLLOW_LIKENESS = { inPlace: 0.2, elsewhere: 0.5 } as const
/** Weight of the document's score in the order by which memories make the cut, the memory's and the window's having 1. */
export const DOCUMENT_RANK_WEIGHT = 0.3
/** Vectors compared again in full precision after the scan of 8-bit ones: the scan is wrong by about 0.0005, so the best 10 are among these. */
export const VECTOR_RESCORE = 40
/** Vectors on one page of the file: pages are read in one piece, and one is written again for every few vectors that are added. */
export const VECTOR_PAGE_ROWS = 64
/** Vectors that the matrix in memory grows by: 1.6 MB at 384 dimensions. */
export const VECTOR_CHUNK_ROWS = 4096
/** Memories whose terms a check makes anew: all of a common store, a sample of a large one. */
export const CHECK_SAMPLE_MEMORIES = 20_000
/** Bytes of one row of the inverted index: as much as the file keeps in one page together with others of its kind. */
export const POSTING_PAGE_BYTES = 900
/** Bytes from which a posting list has rows of its own instead of a part of one. */
export const LONG_LIST_BYTES = 400
/** Memories of a document that go in one write at most when it shrinks by more: a write holds in memory what it removes. */
export const TRIM_MEMORIES = 4000
/** Places of a document that one part of its roster covers: an addition to a long document writes one or two parts, not all. */
export const ROSTER_PART_MEMORIES = 1024
/** Segments of one size class that are merged into one; the size classes grow by the same factor. */
export const SEGMENT_FAN_IN = 8
/** Memories a merged segment holds at most: it bounds how long a merge keeps other writers waiting (0.3 s; 65,536 took 1.6 s). */
export const SEGMENT_MAX_MEMORIES = 16_384

/** Characters of a query that are looked at, beginning and end: a pasted log must not cost a turn its deadline. */
export const QUERY_CHARS = 8000
/** Different words of a query that are looked up, the first and the last half; even. Each costs three lists of memories. */
export const QUERY_WORDS = 48
/** Best memories that each arm (keyword, vector) puts forward for a search, 48 to 500: each costs the reading of a row, and more find little. */
export const CANDIDATE_LIMIT = 96
/** Share of them that notes, and that talk, may count on: long talk on the topic must not keep the note on it from being weighed. [0,0.5] */
export const CATEGORY_CANDIDATE_SHARE = 0.25
/**
 * Shares of a memory's own text, its window and its document in the keyword signal, each relative to the best of the query.
 * A message is found through the talk around it (LoCoMo: r10 .66 by its own text, .78 with both); a note's section is complete.
 */
export const KEYWORD_SHARES = {
  sessions: { text: 0.8, window: 0.8, document: 0.5 },
  memory: { text: 1, window: 0.3, document: 0.3 },
} as const
/** Weights of the four signals in the default profile, when keywords and vectors are equally trustworthy. */
export const DEFAULT_WEIGHTS = { vector: 0.35, keyword: 0.55, header: 0.05, filepath: 0.05 } as const
/** Cosine by which the best and the least candidate are taken to differ at least, (0,1]: where there are few, the last of them need not be bad. */
export const VECTOR_MIN_SPREAD = 0.25
/**
 * Late interaction: how many of the first candidates are compared word by word (40 hold nearly all that can come first), what the best
 * of them gains beside the sum of the signals, and the difference of cosines that the best and the least are taken to have at least.
 */
export const LATE_INTERACTION = {
  depth: 40,
  weight: 0.3,
  minSpread: 0.2,
  /** What a word counts that a turn beside the memory meets, [0,1], by distance. */
  before: [0.9, 0.8],
  after: [0.85],
} as const
/** Share of the vector signal when the candidates hold few of the query's words. (S4) */
export const LOW_OVERLAP_VECTOR_WEIGHT = 0.85
/** Share of the query's word weight that some candidate must hold, else overlap counts as low. [0,1] */
export const LOW_OVERLAP_BELOW = 0.25
/** Memories that a store is taken to hold at least when the rarity of a word is judged. */
export const MIN_IDF_MEMORIES = 200
/** A word that more than this share of all headings or paths hold says nothing there. [0,1] */
export const COMMON_FIELD_SHARE = 0.5
/** Factor on a memory that holds a quoted phrase of the query to the letter. */
export const PHRASE_BOOST = 1.5
/** Factor on what the named speaker said, when the query names one speaker only. */
export const SPEAKER_BOOST = 1.15
/**
 * How much of the text score of a question the turn that answers it takes over, between named people, [0,1.5]. LoCoMo turn MRR .610
 * → .627, r5 .756 → .777; in chats with an agent it cost BEAM 2.6 points of r10, so it does not apply there.
 */
export const ANSWER_SHARE = 0.9
/** What a turn of a named person that only asks loses of its score, [0,1]. LoCoMo turn MRR .592 → .610. */
export const QUESTION_LOSS = 0.15
/** Factor on what the agent itself said: it elaborates at length on what people told it (LongMemEval: MRR .60 without, .84 with). */
export const AGENT_FACTOR = 0.77
/** Factor on tool output, for the same reason; less than talk when equal. */
export const TOOL_FACTOR = 0.75
/** A dated note loses at most this share of its score with age… */
export const DECAY_SHARE = 0.15
/** …half of it after this many days. Undated notes and transcripts do not age. */
export const DECAY_HALF_LIFE_DAYS = 90
/** Feedback: results that lend terms, terms taken at most, and their weight beside the query's own. (S4: 3 results, 5 terms) */
export const FEEDBACK = { results: 3, terms: 5, minResults: 2, weight: 0.3 } as const
/** Word overlap (Jaccard; of the shorter one's words where the newer says that it is a correction) from which two dated memories are taken to state the same thing. [0,1] */
export const SAME_STATEMENT_OVERLAP = 0.5
/** The newer of two such memories moves above the older when its score is at least this share of the older's. [0,1] */
export const NEWER_MIN_SHARE = 0.6
/** Pieces of one section among the first five results at most. */
export const MAX_PIECES_PER_SECTION = 2
/** A curated note with at least this share of the top score is shown among the first three, however much was said about it. [0,1] */
export const CURATED_MIN_SHARE = 0.5

/**
 * Calibration: the chance that the store answers, as a logistic function of evidence that means the same in any store: the
 * share of the query's word weight that one of the first results holds (coverage), that it holds with its neighbours (window),
 * and the best cosine. Fitted on questions put to their own store and to a stranger's (three LoCoMo conversations) and on the
 * sample's questions and off-topic prompts, each kind weighed alike. At 0.5: 95 % of answerable LoCoMo questions pass and 3 % of
 * strangers' (keywords alone: 89 % and 3 %). `words` is for results that were compared word by word, with the mean cosine that the query's
 * words found: at 0.5 93 % of LoCoMo's questions pass and 4.8 % of strangers' (`bench/answerability.ts`).
 */
export const CALIBRATION = {
  hybrid: { bias: -4.5, coverage: 2.3, window: 4.2, cosine: 4.2, words: 0, dated: 2 },
  keyword: { bias: -3.9, coverage: 2.5, window: 5.5, cosine: 0, words: 0, dated: 2 },
  words: { bias: -7.9, coverage: 3.3, window: 4.1, cosine: 5.5, words: 4, dated: 2 },
} as const
/**
 * Without vectors, one ordinary word out of so many or more of a query proves little, however rare it is: the chance that the
 * store answers is then taken to be at most this, below RECALL_THRESHOLD.
 */
export const LONE_WORD = { asked: 3, chance: 0.4 } as const
/** How steeply calibrated scores fall from the first result to the next ones: 1 is in proportion to the fused score. */
export const SCORE_FALLOFF = 1

/**
 * Different words whose terms are remembered, 1,000 to a million: a corpus says most of its words with far fewer, and each
 * takes some 200 bytes. When there are more, remembering begins anew.
 */
export const MAX_REMEMBERED_WORDS = 50_000
/** Files of a folder that are looked at ahead of the one at hand, 1 to 64: a few times the threads that do it. */
export const STATS_AHEAD = 16
/** Memories between a turn and the end of the next one that are looked at when it is forgotten: pieces of both, and results of tools. */
export const MAX_TURN_PIECES = 5000
/** Memories a write transaction holds before it is committed: more is faster and loses more work when interrupted. */
export const WRITE_BATCH_MEMORIES = 2000
/**
 * The thread that reads ahead of the store: started for `minBytes` of files or more (0 or more; a start takes some tenths of a
 * second, in which this much is read), asked for up to `documents` (2 to 10,000), and at most `characters` ahead of what has been
 * taken (a million to 100 million, two to four bytes each: a write's worth keeps both threads busy), which it sends in messages of
 * `messageCharacters` and more. `youngMegabytes` (8 to 48): the part of its heap for what lives shortly; half of the default takes
 * 90 MB less in all and hardly more time. `oldMegabytes` (128 to 1,024): the rest of its heap, of which it needs a third for
 * ordinary documents; V8 collects earlier where there is a limit, and what is beyond it is read in the thread that stores. `plenty`
 * (0 to 1): from this share of `characters` ahead on it also reads what texts say that matters between turns.
 */
export const READ_AHEAD = {
  minBytes: 4 * 1024 * 1024,
  documents: 512,
  characters: 3_000_000,
  messageCharacters: 120_000,
  plenty: 0.5,
  youngMegabytes: 24,
  oldMegabytes: 224,
} as const
/** A file that changed less than this long before it was read, ms, may change again within the clock's resolution: its bytes are compared next time. */
export const FRESH_FILE_MS = 2000
/**
 * Pages (of 4 KB) of the write-ahead log at which they go into the store's file, 1,000 to 16,000: every write of a large run changes many
 * of the same pages, and the more writes there are between, the fewer of them are copied and waited for.
 */
export const STORE_LOG_PAGES = 8000
/** Memories that a repair of the store looks at in one go: as much as a write transaction holds. */
export const REPAIR_BATCH_MEMORIES = 2000
/**
 * Memories that an index run relates to others at most, 0 to a million: 5 to 10 ms each (`npx tsx bench/discovery.ts`),
 * which is less than their vectors take, and 10 s of a run that somebody waits for. What is more goes on waiting, for the next run or
 * for "links discover".
 */
export const INDEX_LINKS = 1000
/** Texts taken from the store for one round of embedding. */
export const EMBED_ROUND = 64

/** Conversation that enriches a recall: last turns, words and characters taken from them, weight of a word and share of their vectors beside the prompt's. */
export const RECALL_CONTEXT = { turns: 4, words: 12, charsPerTurn: 600, wordWeight: 0.25, vectorShare: 0.3 } as const
/** Factor on what only the enriched query finds: a prompt that stands alone, and one that leans on what was said before. */
export const ENRICHED_FACTOR = { standalone: 0.7, leaning: 0.95 } as const
/** Least calibrated score of an injected memory, [0,1]. Searching has no such floor: noise is worse than silence only where nobody asked. (S3) */
export const RECALL_THRESHOLD = 0.5
/** Characters of the name of a person, a tool or a document, or of an id, 60 to 1,000: longer ones are texts. */
export const MAX_NAME_CHARS = 200
/** Characters of a reason for less than the whole answer, 100 to 1,000: what is wrong, not what a service said at length. */
export const MAX_REASON_CHARS = 300
/** A model that fails, or is late, in so many recalls in a row is not asked for this long, ms: each of those turns would have waited. */
export const MODEL_BREAKER = { failures: 3, pauseMs: 60_000 } as const
/** Recalls of which is kept why each memory was in or out, candidates of each, and characters of a prompt: 1 kB a turn. */
export const TURN_LOG = { turns: 50, considered: 8, promptChars: 200 } as const
/** Items in the block at most. */
export const RECALL_MAX_ITEMS = 6
/** Characters of one item's text in the block. */
export const RECALL_ITEM_CHARS = 600
/** Characters of one part of an item's label in the block (path, headings, speaker), 40 to 1,000: paths fit, essays do not. */
export const RECALL_LABEL_CHARS = 240
/** Share of the deadline that the query's vectors may take before recall goes on without them. */
export const RECALL_EMBED_SHARE = 0.6
/** Share of the deadline that noting what was shown may wait for a writer: an item that comes twice is better than none. */
export const RECALL_NOTE_SHARE = 0.15
/** How long a search waits for a writer to note which memories were read, ms, before it answers without. */
export const ACCESS_NOTE_MS = 500
/** Vectors of recent prompts kept in memory, so that the next turn's context costs no inference. */
export const QUERY_VECTOR_CACHE = 256
/** Ids remembered as injected in one session; beyond it the oldest may come again. */
export const INJECTED_MEMORY_CAP = 400
/** Sessions whose injections are remembered, and for how many days after the last: a session that is resumed later begins anew. */
export const INJECTED_SESSIONS = { count: 500, days: 30 } as const

/** Markdown files above this size, bytes, are no notes: they are skipped with a reason. */
export const MAX_MARKDOWN_BYTES = 5 * 1024 * 1024
/** A transcript line above this size, bytes, is read over as a problem: one line must not fill the memory. */
export const MAX_TRANSCRIPT_LINE_BYTES = 16 * 1024 * 1024
/** Events taken from a host's session store at a time: each is at most 4 MB there, and few are above a few kilobytes. */
export const SESSION_STORE_PAGE_ROWS = 64
/** An archived session of such a store above this size when unpacked, bytes, is reported instead of read. */
export const MAX_UNPACKED_ARCHIVE_BYTES = 256 * 1024 * 1024
/** Records read before a file is given up as no transcript: bad lines and bookkeeping may come first. */
export const MAX_FORMAT_PROBE_RECORDS = 200
/** Turns, and characters of their texts, from which a part of a transcript is given out of hand, to be stored: it bounds what is held. */
export const TRANSCRIPT_PART = { turns: 1000, characters: 1_000_000 } as const
/** Bytes of a transcript between two places at which a later reading may go on: as much is read again for each addition. */
export const TRANSCRIPT_MARK_BYTES = 32 * 1024
/** Bytes at the beginning of a transcript that may say whose it is, where and when; what they do not say is not waited for. */
export const TRANSCRIPT_HEAD_BYTES = 256 * 1024
/** A message whose parts, or a result whose outer call, come more bytes later than this are taken as they are: hosts write them within seconds. */
export const MAX_OPEN_BYTES = 4 * 1024 * 1024
/** Turns whose ids are remembered while a transcript is read, to leave out copies. A copy farther away is a second place of the same memory. */
export const RECENT_TURN_IDS = 1024
/** An unbroken run of base64 this long is data, not words, characters. */
export const MIN_BLOB_CHARS = 200
/** A line this long with hardly any space is minified, characters. */
export const MAX_DENSE_LINE_CHARS = 5000
/** A heartbeat acknowledgement with at most this many characters says nothing; the host draws the same line. */
export const HEARTBEAT_ACK_CHARS = 300
/** What is kept of a tool call's input in the turn that makes it, characters: enough to find what was run. */
export const MAX_TOOL_CALL_CHARS = 200

/** Characters that one `get` returns at most; the rest is asked for with a later first line. */
export const GET_MAX_CHARS = 20_000
/** Reasons for skipped files and lines that are kept for `status`; beyond it they are counted. */
export const KEPT_PROBLEMS = 1000
/** Characters of a prompt that recall embeds, its beginning and its end: about what the bundled model reads. */
export const RECALL_QUERY_CHARS = 1000

/**
 * Measuring on labelled questions. `limit`: results that are judged, 10 to 100: measures reach to 10. `recallFirst`: items of a block that
 * count as seen, 1 to 6. `deadlineMs`: what a recall may take there, 800 to 600,000: how busy the machine is at the time is not asked.
 */
export const EVALUATION = { limit: 20, recallFirst: 3, deadlineMs: 60_000 } as const
/** Recalls in a row that went without the same part, 2 to 50, from which doctor speaks of it: fewer are a busy minute. */
export const DEGRADED_RECALLS = 5
/** What a session begins with: days back that count, plans shown at most, memories looked through for them, tokens of it all. */
export const BRIEFING = { days: 30, plans: 4, looked: 60, tokens: 400 } as const
/** Tokens of what is given back after a compaction: a recall's block, twice; compacting is done to make room. */
export const RESTORE_TOKENS = 2000

/**
 * The MCP server. `answerBytes`: JSON of one answer at most, 4,000 to 50,000: clients give up at some 25,000 tokens, and a common
 * `get` still fits whole. `drainMs`: how long what was asked may take once nobody asks any more (`echo … | madeleine mcp`).
 * `warmDelayMs`: pause before store and model are loaded ahead, so that the client's first questions come before it. `exitMs`: time
 * to close before the process ends all the same.
 */
export const MCP_LIMITS = { answerBytes: 24_000, drainMs: 5000, warmDelayMs: 100, exitMs: 2000 } as const
/** Texts of an import that are remembered at once, 1 to 64: they are embedded side by side. */
export const IMPORT_CONCURRENCY = 8

/** Memories that are listed where several have the name that somebody gave, 2 to 50: enough to choose from, on one screen. */
export const NAMED_CANDIDATES = 8
/**
 * How much newer counts in `memory_retrieve` (S2): a score keeps the share `1 − weight` whatever its age, and the share `weight` as far
 * as its recency 2^(−age/half-life) goes, so that recency alone never makes anything relevant. `halfLifeDays` by tier, (0,3650]: what
 * happened ages fastest, how to do things slowest. `weight`: unless the caller says otherwise, [0,1]. `undated`: recency of what nothing
 * dates, [0,1]: neither new nor old. `looked`: results that are weighed for each one asked for, 1 to 10.
 */
export const RETRIEVE_RECENCY = {
  halfLifeDays: { episodic: 7, semantic: 30, procedural: 90 },
  weight: 0.5,
  undated: 0.5,
  looked: 3,
} as const
/** An answer of a language model longer than this, bytes, 10,000 to 10 million, is given up: some hundred tokens are asked for. */
export const LANGUAGE_MODEL_MAX_ANSWER_BYTES = 256 * 1024
