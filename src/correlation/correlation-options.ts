/**
 * Every tunable of relationships, as src/options.ts has them of the rest: default, unit, range, reason. Values marked (S2) come from
 * the product's founding text on the correlator.
 */

/** Weights of the parts of a correlation score; those of parts that do not apply are shared over the others. (S2) */
export const CORRELATION_WEIGHTS = {
  semanticSimilarity: 0.4,
  coOccurrence: 0.25,
  temporalProximity: 0.15,
  crossReference: 0.2,
} as const
/** Time constant of temporal proximity, days, (0,365]. (S2) */
export const TEMPORAL_TAU_DAYS = 7
/** Explicit references between two memories that count as fully cross-referenced, 1 to 20: more of them prove no more. (S2) */
export const MAX_REFERENCES = 3
/** What one entity and one term weigh in co-occurrence, (0,1]: a name in common tells more than a word in common. */
export const CO_OCCURRENCE_WEIGHTS = { entity: 1, term: 0.4 } as const
/**
 * What shows a relationship, shares in [0,1] unless said. `conflict`: how much of what is said around a difference is the same, from which
 * it is a contradiction among pairs that were found, hardly any of which are one; `askedConflict`: the same where somebody asks about this
 * very pair, so that one is as likely as none (`npx tsx bench/relations.ts` for both); `conflictMinCosine`: below it the texts are of different things; `doubt`: a
 * difference this strong is no support; `supportCoverage`: share of what one text says that the other must say to be evidence for it, and
 * `supportMinCosine` where there are vectors; `generalCoverage`: share of a rule that its instance must mention; `clauseCoverage`: share
 * of a "because" clause that the cause must tell, and `sourceTerms`, words at least of what something is said to be based on; `minShared`: terms in common at least; `sequenceDays`: an episode goes on with one
 * that is no older; `quotedChars`: of each side in a reason.
 */
export const RELATIONSHIP_EVIDENCE = {
  conflict: 0.66,
  askedConflict: 0.25,
  conflictMinCosine: 0.3,
  doubt: 0.5,
  supportCoverage: 0.75,
  supportMinCosine: 0.6,
  generalCoverage: 0.35,
  clauseCoverage: 0.6,
  sourceTerms: 3,
  minShared: 2,
  sequenceDays: 7,
  quotedChars: 60,
} as const
/** Words in a row that stand in both texts from which they are a quotation, 4 to 50: idioms and headings are shorter. */
export const MIN_QUOTED_WORDS = 8
/**
 * How two statements are compared. `maxStatements` of a text are looked at, each with the `comparedStatements` of the other that share
 * most with it: it bounds what long texts cost. `labelWords`: words at most before the number that tells of which thing a statement speaks;
 * `halfDistance`: words from a difference at which a word counts half; `nameWeight`: what a
 * name counts for there; `negationReach`: words that a negation denies at most; `negationContext`: what a negation loses when nothing
 * else is the same, [0,1]; `nextWords`, `besideWords`, `farFactor`: a value keeps this share when none of the words next to it is beside
 * the other value; `slotWords`: words that take the place of others at most; `slotStrength`: how sure that is when they are no names:
 * "standing" and "smiling" may both hold; the same for names after a verb of the past: both places may have been visited; `sameWordShare`: what an opposite loses by the same word in both; `changeGain`: how much nearer
 * to certain a difference is that a text calls a change.
 */
export const CONFLICT = {
  maxStatements: 200,
  comparedStatements: 4,
  labelWords: 2,
  halfDistance: 6,
  nameWeight: 1.5,
  negationReach: 8,
  negationContext: 0.45,
  nextWords: 2,
  besideWords: 4,
  farFactor: 0.7,
  slotWords: 3,
  slotStrength: 0.45,
  sameWordShare: 0.9,
  changeGain: 0.35,
} as const
/**
 * Settings of the correlator that nobody gave (S2). `minScore`: of a relationship that is inferred, [0,1] (ARCHITECTURE.md has what it is set by:
 * 0.6 lets nothing of the sample's through, 0.45 what is true); `maxLinks`: of a memory,
 * 1 to 10,000; `consensus`: reviewers who must confirm, 1 to 100.
 */
export const CORRELATOR_DEFAULTS = {
  enabled: true,
  minScore: 0.45,
  maxLinks: 50,
  autoDiscover: true,
  consensus: 1,
} as const
/** Reviews that are listed unless the caller says otherwise, 1 to 1000, and characters of a reviewer's name and note, 10 to 5000. */
export const REVIEW_LIMITS = { listed: 50, nameChars: 200, noteChars: 1000 } as const
/**
 * The graph. `depth`: steps from the memories asked for, unless the caller says otherwise (S2); `maxDepth`: more is a mistake; `nodes`: memories
 * at most by default, and `maxNodes` whatever the caller says: an answer is held in memory and drawn; `asked`: memories that it may begin
 * with; `begin`: best connected ones that it begins with where none are named, 1 to 100; `linking`: notes whose links are then looked at,
 * the newest: reading them is what takes time.
 */
export const GRAPH = {
  depth: 2,
  maxDepth: 100,
  nodes: 1000,
  maxNodes: 10_000,
  asked: 1000,
  begin: 10,
  linking: 20_000,
} as const
/**
 * Personalised PageRank. `damping`: chance that the walk goes on, (0,1): the value of the paper; `tolerance`: it ends when a round moves less than
 * this share of all visits; `rounds`: or after so many, when what is left to move is 0.85^200.
 */
export const PAGE_RANK = { damping: 0.85, tolerance: 1e-10, rounds: 200 } as const
/**
 * Predicted links. `limit`: of a graph, 1 to 1000; `minShared`: memories that both must be related to: with one, all leaves of a star would be
 * predicted; `maxDegree`: a memory with more relationships says nothing of those that have them, 2 to 1000.
 */
export const PREDICTED_LINKS = { limit: 20, minShared: 2, maxDegree: 100 } as const
/** Documents that an unresolved link is said to be able to mean, 2 to 50, and memories that are looked at for one heading, 10 to 1000. */
export const LINK_CANDIDATES = { listed: 8, looked: 200 } as const
/**
 * Whom a memory is compared with. `nearest`: so many of the nearest by vector and so many by rare words, 5 to 200: links are among the
 * nearest (`npx tsx bench/discovery.ts`); `conflicts`: of them, so many of the most alike are looked at for contradictions whatever their
 * score: it is what takes longest; `named`: ids that a text may name are looked for among so many of its words; `listed`: correlations
 * of one answer unless the caller says otherwise; `maxListed` whatever it says.
 */
export const CANDIDATES = { nearest: 24, conflicts: 6, named: 50, listed: 10, maxListed: 1000 } as const
/**
 * Linking. `batch`: memories whose links are written at once, 1 to 5,000: what an interruption loses; `window`: of those that wait, so many
 * are known at once, so that near ones follow each other, some 100 bytes each; `sketches`: memories of which is kept
 * what they say while many are linked, some 300 bytes each; `readings`: texts that are held taken apart, some 20 kB each.
 */
export const LINKING = { batch: 500, window: 50_000, sketches: 200_000, readings: 2000 } as const
/**
 * The report. `seeds`: memories whose correlations are listed, 1 to 20; `reviews`: that are looked at, 1 to 1000; `treeLines`: of the graph, 10 to
 * 1000: what a person reads; `strongScore`: from which a relationship is called strong, [0,1]; `strongLinks`: that are named, 1 to 50;
 * `recommendations`: at most, 5 to 200.
 */
export const REPORT = {
  seeds: 5,
  reviews: 1000,
  treeLines: 80,
  strongScore: 0.85,
  strongLinks: 5,
  recommendations: 30,
} as const
/**
 * The view by files (S4: 5 representatives of a file, 0.75, 5 pairs of a memory, 10 files of a file). `exactPairs`: up to so many, each is compared
 * with each, 10,000 to 10 million: a second of work; `nearest`: neighbours that are asked for of each where there are more, 20 to 500.
 */
export const FILE_GRAPH = {
  representatives: 5,
  minCosine: 0.75,
  perMemory: 5,
  perFile: 10,
  exactPairs: 1_000_000,
  nearest: 60,
} as const
/**
 * Expansion of results by relationships. `from`: first results whose relationships are followed, 1 to 20; `perMemory`: the strongest of each, 1 to 50;
 * `minScore`: a weaker relationship is not followed, [0,1]: those from 0.35 on cost LoCoMo's multi-hop questions 2 points of r10 and brought
 * recall nothing (0.3 here and `npx tsx bench/expansion.ts --kind multi-hop --min-score 0.35`); `share`: of the results that may be brought in, (0,1]; `newerShare`: of an
 * older result's score that a newer one which contradicts it must have to be set above it, [0,1]; `factors`: what of a score goes
 * over by type, (0,1]: what speaks of the same thing more than what came after it or is of its kind.
 */
export const EXPANSION = {
  from: 5,
  perMemory: 8,
  minScore: 0.5,
  share: 0.5,
  newerShare: 0.6,
  factors: {
    contradicts: 0.95,
    derives_from: 0.8,
    supports: 0.8,
    causal: 0.8,
    references: 0.75,
    generalizes: 0.7,
    specializes: 0.7,
    temporal_sequence: 0.7,
  },
} as const
/**
 * When two statements among many memories are of the same thing. `terms`: words in common at least, `negatedTerms` where one denies what the
 * other says; `together`: Dice's coefficient of their words and the cosine of the texts, summed, of which the cosine must be `minCosine`; `likeness`: the coefficient alone where
 * there are no vectors. With `fewTerms` words in common, `fewTogether` and `fewLikeness`. Of the sample's 62 differences that are strong
 * enough these leave the three that are true; of contradictions in BEAM all but one.
 */
export const SAME_STATEMENT = {
  terms: 3,
  negatedTerms: 4,
  minCosine: 0.5,
  together: 1.05,
  likeness: 0.6,
  fewTerms: 2,
  fewTogether: 1.45,
  fewLikeness: 0.9,
} as const
/**
 * Turns or sections of one document between which nothing has to be said about their order, 0 to 20: whoever reads one of them sees the
 * other.
 */
export const SEQUENCE_NEARBY = 3
