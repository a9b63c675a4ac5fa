import randexp from 'randexp'

/** The package is CommonJS whose types say that the class is its `default`: at run time it is the module itself. */
const RandExp = randexp as unknown as typeof randexp.default

/** A rule of a scanner for secrets: the expression in RE2's notation, and the words of which a text must hold one. */
export interface ScannerRule {
  id: string
  regex: string
  keywords: readonly string[]
  /** Bits a character that a find must have, 0 where the rule says nothing. */
  entropy: number
}

/** Ids and public keys: a scanner reports them as a trace to the secret; they open nothing. */
const NO_SECRET = /-(?:client-id|access-id|pub-key|pub-api-key|public-key)$|^aws-amazon-bedrock-api-key-short-lived$/

/** The rules of a `gitleaks.toml`, those without an expression and those for what is no secret left out. */
export function readScannerRules(toml: string): ScannerRule[] {
  const rules: ScannerRule[] = []
  for (const part of toml.split(/^\[\[rules\]\]$/m).slice(1)) {
    const id = /^id = "([^"]+)"/m.exec(part)?.[1]
    const regex = /^regex = '''([\s\S]*?)'''/m.exec(part)?.[1]
    if (!id || !regex || NO_SECRET.test(id)) continue
    const keywords = [...(/^keywords = \[([^\]]*)\]/m.exec(part)?.[1] ?? '').matchAll(/"([^"]+)"/g)]
    rules.push({
      id,
      regex,
      keywords: keywords.map(([, word = '']) => word.toLowerCase()),
      entropy: Number(/^entropy = ([\d.]+)/m.exec(part)?.[1] ?? 0),
    })
  }
  return rules
}

/** What stands in a rule before the secret itself, where a service's name has to be near. */
const NAMED_START = '[\\x60\'"\\s=]{0,5}('
const STARTS = [NAMED_START, '\\b(', '[\\\\\'"\\x60\\s>=:(,)])(']
/** What has to follow a secret. */
const END = /\(\?:\[\\x60'"\\s;\][^)]*\)|\(\?:\[\^[^\]]*\]\|\\z\)/g
const MAX_TRIES = 200

/**
 * Strings that a rule takes for a secret, drawn from its expression: the group of the secret where there is one, else all of it.
 * Those under the rule's entropy are drawn again. Throws for an expression that nothing can be drawn from.
 */
export function drawSecrets(rule: ScannerRule, count: number, random: () => number): string[] {
  const bodies = secretBodies(rule.regex)
  return Array.from({ length: count }, (_, index) => {
    const body = bodies[index % bodies.length] ?? ''
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const secret = drawFrom(body, random).replace(/^"|"$/g, '')
      if (entropyBits(secret) >= rule.entropy) return secret
    }
    throw new Error(`Cannot draw a secret of rule ${rule.id}: its entropy is never reached by ${body}`)
  })
}

function secretBodies(regex: string): string[] {
  const starts = STARTS.flatMap((start) => {
    const found: number[] = []
    for (let at = regex.indexOf(start); at >= 0; at = regex.indexOf(start, at + 1)) found.push(at + start.length)
    return found
  })
  const isFolded = (until: number): boolean => regex.slice(0, until).includes('(?i)')
  if (starts.length === 0) return [translate(regex.replace(END, ''), isFolded(1))]
  return starts.map((start) => translate(regex.slice(start, groupEnd(regex, start)), isFolded(start)))
}

/** Where the group that is open at `start` closes. */
function groupEnd(regex: string, start: number): number {
  let depth = 1
  for (let at = start; at < regex.length; at += 1) {
    if (regex[at] === '\\') at += 1
    else if (regex[at] === '[') at = regex.indexOf(']', at + 2)
    else if (regex[at] === '(') depth += 1
    else if (regex[at] === ')') depth -= 1
    if (depth === 0) return at
  }
  return regex.length
}

/** True of a rule that knows its secret only by the service's name before it. */
export function needsName(rule: ScannerRule, secret: string): boolean {
  const folded = secret.toLowerCase()
  return rule.regex.includes(NAMED_START) || !rule.keywords.some((word) => folded.includes(word))
}

/**
 * RE2's notation in that of JavaScript; where case does not matter, letters of both cases are drawn. A dot that stands for any
 * character is meant as a dot, and a backslash in a class stands for escapes around the secret.
 */
function translate(body: string, isFolded: boolean): string {
  const [before = '', ...after] = body.split('(?i)')
  const folded = after.map(bothCases).join('')
  return `${isFolded ? bothCases(before) : before}${folded}`
    .replaceAll('[[:alnum:]]', '[A-Za-z0-9]')
    .replaceAll('(?P<', '(?<')
    .replaceAll('(?-i:', '(?:')
    .replace(/\(\?i:((?:\[[^\]]*\]|[^()[\]])*)\)/g, (_, inner: string) => `(?:${bothCases(inner)})`)
    .replaceAll('\\z', '$')
    .replace(/\[(?:\\.|[^\]])*\]|\\.|\.(?![*+?{])/g, (part) => (part === '.' ? '\\.' : part.replaceAll('\\\\', '')))
}

function bothCases(part: string): string {
  return part.replace(/\[([^\]]*)\]/g, (whole, set: string) =>
    set.includes('a-z') && !set.includes('A-Z') ? `[${set.replace('a-z', 'a-zA-Z')}]` : whole,
  )
}

/** Draws a string that an expression matches; open repetitions stop after 100. */
export function drawFrom(body: string, random: () => number): string {
  const generator = new RandExp(body)
  generator.max = 100
  generator.randInt = (from, to) => from + Math.floor(random() * (to - from + 1))
  return generator.gen()
}

function entropyBits(text: string): number {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  return [...counts.values()].reduce((bits, n) => bits - (n / text.length) * Math.log2(n / text.length), 0)
}
