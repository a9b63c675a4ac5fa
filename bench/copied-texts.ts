import { createRandom, createWordSource, type WordSource } from './made-text.ts'

/** One chunk of the made corpus. Chunks of one statement say the same. */
export interface CopiedChunk {
  text: string
  statement: number
  kind: 'original' | 'copy' | 'near copy' | 'twin'
}

/** Shares of the chunks. Twins are originals that differ in one fact from another original; the rest are plain originals. */
const SHARES = { copy: 0.2, nearCopy: 0.1, twin: 0.05 }
const WORDS = { least: 20, most: 110 }
const MAX_CHANGES = 3

/** What two twins say differently. */
const FACTS: ReadonlyArray<{ kind: string; one: string; other: string }> = [
  { kind: 'number', one: 'The pump needs 24 volts.', other: 'The pump needs 12 volts.' },
  { kind: 'decimal', one: 'The dose is 1.5 ml.', other: 'The dose is 15 ml.' },
  { kind: 'sign', one: 'The freezer stands at -18 degrees.', other: 'The freezer stands at 18 degrees.' },
  { kind: 'name', one: 'The spare key is with Nora now.', other: 'The spare key is with Mara now.' },
  { kind: 'names in order', one: 'In the end Nora paid Mara back.', other: 'In the end Mara paid Nora back.' },
  { kind: 'date', one: 'The warranty ends 2027-03-01.', other: 'The warranty ends 2027-04-01.' },
  { kind: 'weekday', one: 'The council meets on Monday.', other: 'The council meets on Tuesday.' },
  { kind: 'negation', one: 'The gate is locked at night.', other: 'The gate is not locked at night.' },
  { kind: 'contraction', one: 'They do need a permit.', other: "They don't need a permit." },
  { kind: 'unit', one: 'The beam weighs 40 kg in all.', other: 'The beam weighs 40 g in all.' },
  { kind: 'case of a unit', one: 'It sends with 5 mW at most.', other: 'It sends with 5 MW at most.' },
  { kind: 'currency', one: 'A ticket costs $40 now.', other: 'A ticket costs €40 now.' },
  { kind: 'identifier', one: 'See ticket REQ-0417 for it.', other: 'See ticket REQ-0471 for it.' },
  { kind: 'case of an identifier', one: 'It reads userId first.', other: 'It reads userID first.' },
  { kind: 'path', one: 'It is kept in /etc/main.toml there.', other: 'It is kept in etc/main.toml there.' },
  { kind: 'direction', one: 'Money went from savings to current.', other: 'Money went to savings from current.' },
  { kind: 'switch', one: 'Forwarding is on again.', other: 'Forwarding is off again.' },
  { kind: 'before and after', one: 'Take it before meals.', other: 'Take it after meals.' },
  { kind: 'order of a list', one: 'Order: schema, workers, gateway.', other: 'Order: gateway, workers, schema.' },
  { kind: 'question', one: 'Was the roof repaired?', other: 'Was the roof repaired.' },
  { kind: 'task', one: '\n\n- [x] renew the passport', other: '\n\n- [ ] renew the passport' },
]

type Change = (text: string, random: () => number) => string

/** Ways in which a copied text comes to look another, in the order in which they are made: words, then sentences, then the line. */
const CHANGES: readonly Change[] = [
  (text) => text.toLowerCase(),
  (text, random) => changeWord(text, random, (word) => `the ${word}`),
  (text, random) => changeWord(text, random, (word) => `${word},`),
  (text, random) => changeWord(text, random, (word) => `*${word}*`),
  (text, random) => changeWord(text, random, (word) => word.toUpperCase()),
  (text) => text.replace(/(?<=\p{L})\.(?=\s|$)/gu, '!'),
  (text) => text.replace(/[.!]$/, ''),
  (text) => text.replace(/(?<=\p{L})([.!]) /gu, '$1\n'),
  (text) => `**${text}**`,
  (text) => `“${text}”`,
  (text) => text.replaceAll(' ', '  '),
  (text) => `FYI: ${text}`,
  (text) => `- ${text}`,
  (text) => `> ${text}`,
]
/** Those that touch neither the case of a letter nor the end of a sentence: a fact may lean on them. */
const GENTLE_CHANGES = CHANGES.slice(-4)

/** Changes one plain word between two others. */
function changeWord(text: string, random: () => number, change: (word: string) => string): string {
  const places = [...text.matchAll(/(?<=[a-z] )[a-z]{4,}(?= [a-z])/g)]
  const place = places[Math.floor(random() * places.length)]
  if (!place) return text
  return text.slice(0, place.index) + change(place[0]) + text.slice(place.index + place[0].length)
}

/** `count` chunks, the same for a seed in every run, in random order: a fifth are copies, a tenth near copies of others. */
export async function makeCopiedTexts(count: number, seed: number): Promise<CopiedChunk[]> {
  const random = createRandom(seed)
  const draw = await createWordSource(random)
  const originals = makeOriginals(draw, {
    count: Math.round(count * (1 - SHARES.copy - SHARES.nearCopy)),
    random,
    all: count,
  })
  const pick = (): CopiedChunk => originals[Math.floor(random() * originals.length)] ?? raise('Nothing to copy')
  const chunks = [...originals]
  for (let made = 0; made < count * SHARES.copy; made++) chunks.push({ ...pick(), kind: 'copy' })
  for (let made = 0; made < count * SHARES.nearCopy; made++) {
    const { text, statement, kind } = pick()
    const changes = kind === 'twin' ? GENTLE_CHANGES : CHANGES
    chunks.push({ text: changeForm(text, { changes, random }), statement, kind: 'near copy' })
  }
  for (let at = chunks.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1))
    const [one, two] = [chunks[at], chunks[other]]
    if (one && two) [chunks[at], chunks[other]] = [two, one]
  }
  return chunks
}

function makeOriginals(
  draw: WordSource,
  { count, random, all }: { count: number; random: () => number; all: number },
): CopiedChunk[] {
  const originals: CopiedChunk[] = []
  const twins = Math.round((all * SHARES.twin) / 2)
  for (let statement = 0; originals.length < count; statement++) {
    const prose = draw.prose(WORDS.least + Math.floor(random() * (WORDS.most - WORDS.least)))
    const fact = statement < twins ? FACTS[statement % FACTS.length] : undefined
    if (!fact) {
      originals.push({ text: prose, statement: originals.length, kind: 'original' })
      continue
    }
    for (const words of [fact.one, fact.other]) {
      originals.push({ text: `${prose} ${words}`, statement: originals.length, kind: 'twin' })
    }
  }
  return originals
}

/** The text after one to three changes, different from what it was. */
function changeForm(text: string, { changes, random }: { changes: readonly Change[]; random: () => number }): string {
  for (;;) {
    const wanted = 1 + Math.floor(random() * MAX_CHANGES)
    const chosen = new Set(Array.from({ length: wanted }, () => Math.floor(random() * changes.length)))
    const changed = changes.reduce((so, change, index) => (chosen.has(index) ? change(so, random) : so), text)
    if (changed !== text) return changed
  }
}

function raise(message: string): never {
  throw new Error(message)
}
