import type { BenchMessage, BenchQuestion, BenchSet } from './haystack.ts'

/** Three short sessions written for this file. They show that the harness runs where no data is; they measure nothing. */
const SESSIONS: ReadonlyArray<{ id: string; date: string; lines: readonly string[] }> = [
  {
    id: 'garden',
    date: '2025-03-04T18:00:00.000Z',
    lines: [
      'The raised beds are finally filled, twelve barrows of compost.',
      'What goes in first?',
      'Broad beans along the wall, and Sungold tomatoes once the greenhouse is warm.',
      'Keep the slugs away from the seedlings, you lost all of them last year.',
    ],
  },
  {
    id: 'server',
    date: '2025-03-18T09:30:00.000Z',
    lines: [
      'The nightly backup of the photo server failed again with error 28.',
      'Error 28 means that no space is left on the device. How large is the partition?',
      'Two terabytes. I will move the old recordings to the external drive.',
      'Then lower the retention from ninety days to thirty, so that it does not fill up once more.',
    ],
  },
  {
    id: 'journey',
    date: '2025-04-02T20:15:00.000Z',
    lines: [
      'I booked the night train to Vienna for the ninth of May.',
      'Did you take the sleeper or only a seat?',
      'The sleeper, with Nadia. She wants to hear the Philharmonic on the tenth.',
      'Reserve a table near the Naschmarkt, it is full on Saturdays.',
    ],
  },
]

const QUESTIONS: ReadonlyArray<{ text: string; gold: readonly string[] }> = [
  { text: 'Which tomatoes did I want to grow?', gold: ['garden:3'] },
  { text: 'Why did the photo server backup fail?', gold: ['server:1', 'server:2'] },
  { text: 'How long should backups be kept?', gold: ['server:4'] },
  { text: 'Who comes along to Vienna?', gold: ['journey:3'] },
]

/** A set of one haystack that needs no data. */
export function sampleSet(): BenchSet {
  const messages = SESSIONS.flatMap(({ id, date, lines }) =>
    lines.map(
      (text, index): BenchMessage => ({
        id: `${id}:${index + 1}`,
        session: id,
        role: index % 2 === 0 ? 'user' : 'assistant',
        text,
        occurredAt: new Date(Date.parse(date) + index * 1000).toISOString(),
      }),
    ),
  )
  const questions = QUESTIONS.map(
    ({ text, gold }, index): BenchQuestion => ({
      id: `sample-${index + 1}`,
      type: 'sample',
      text,
      askedAt: '2025-04-10T12:00:00.000Z',
      goldMessages: new Set(gold),
      goldSessions: new Set(gold.map((id) => id.split(':')[0] ?? '')),
      isUnanswerable: false,
    }),
  )
  return {
    name: 'sample',
    title: 'Sample (written for the harness)',
    haystacks: [{ id: 'sample', messages, questions }],
  }
}
