/** A word that joins two statements, and what it joins on: places in the text. */
export interface Connective {
  start: number
  end: number
  /** The rest of its clause after it, or the clause before it. */
  after: { start: number; end: number }
}

/** How much of a clause is read after a connective, characters. */
const CLAUSE_CHARS = 160
const CLAUSE_END = /[.!?;\n。！？]/

const pattern = (words: string): RegExp =>
  new RegExp(String.raw`(?<![\p{L}\p{N}_])(?:${words})(?![\p{L}\p{N}_(=]| =)`, 'giu')

const CONNECTIVES = {
  /** What follows is the cause of what is told. */
  cause: `${
    pattern(
      'because(?: of)?|due to|caused by|as a result of|owing to|thanks to|triggered by|broken by|root cause(?: was| is)?|weil|wegen|aufgrund|à cause de|parce que|porque|debido a|a causa di|perché',
    ).source
  }|因为|由于|のため|때문`,
  /** What follows is the effect of what is told. */
  effect: `${
    pattern(
      'caus(?:ed|es|ing)|led to|leads to|result(?:ed|s) in|brought about|broke|triggered|therefore|that is why|führte zu|daher|deshalb|donc|por eso|perciò',
    ).source
  }|导致|因此|引起`,
  /** What follows is where it was inferred from. */
  source: `${
    pattern(
      'based on|derived from|learn(?:ed|t) from|lessons? (?:learn(?:ed|t) )?from|concluded from|inferred from|follows from|distilled from|extracted from|summar(?:y|ises|izes|ised|ized)(?: of)?|from what happened|as seen (?:in|on|during)|according to|after (?:what happened|the incident|the outage)|basierend auf|abgeleitet aus|d’après|basado en',
    ).source
  }|根据|基于|に基づ`,
  /** What follows is held to be true. */
  confirmation: `${
    pattern(
      'confirm(?:s|ed|ing)|can confirm|consistent with|as (?:expected|predicted|suspected)|proves|proved|proven|shows? that|showed that|evidence (?:for|that)|verif(?:ies|ied)|bestätigt|confirme|confirma',
    ).source
  }|证实|確認`,
  /** What is told came after something. */
  sequence: `${
    pattern(
      'then|after that|afterwards|next|later|subsequently|following (?:that|this)|finally|dann|danach|ensuite|puis|luego|después|poi',
    ).source
  }|然后|之后|その後|그 후`,
} as const
export type ConnectiveKind = keyof typeof CONNECTIVES

/** Words by which a statement says that it holds in general. */
const GENERAL =
  /(?<![\p{L}\p{N}])(?:always|usually|generally|in general|typically|whenever|every(?: time)?|each time|any|all|as a rule|must|should|never|normally|by default|immer|grundsätzlich|stets|toujours|en général|siempre|sempre)(?![\p{L}\p{N}])|总是|一般|每次|必ず|常に|항상/iu
/** Words by which a statement says that it is one case. */
const SPECIFIC =
  /(?<![\p{L}\p{N}])(?:for example|e\.g|for instance|this time|one case|in this case|an instance|today|yesterday|this morning|last (?:night|week|month)|zum Beispiel|heute|gestern|par exemple|hier|ayer|hoy)(?![\p{L}\p{N}])|例如|今天|昨天|例えば|今日|昨日|오늘|어제/iu

const compiled = new Map<ConnectiveKind, RegExp>()

/** Where a text joins statements in this way, in order. */
export function findConnectives(text: string, kind: ConnectiveKind): Connective[] {
  const expression = compiled.get(kind) ?? new RegExp(CONNECTIVES[kind], 'giu')
  compiled.set(kind, expression)
  return Array.from(text.matchAll(expression), ({ index, 0: words }) => {
    const start = index + words.length
    const clause = text.slice(start, start + CLAUSE_CHARS)
    const length = CLAUSE_END.exec(clause)?.index ?? clause.length
    return { start: index, end: start, after: { start, end: start + length } }
  })
}

export function saysInGeneral(text: string): boolean {
  return GENERAL.test(text)
}

export function tellsOneCase(text: string): boolean {
  return SPECIFIC.test(text)
}
