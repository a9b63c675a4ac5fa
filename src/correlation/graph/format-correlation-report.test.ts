import { describe, expect, it } from 'vitest'
import type { Correlation, CorrelationGraph, GraphNode, ReviewItem } from '../../model/correlation.ts'
import type { CorrelationReport } from './correlation-report.ts'
import { formatCorrelationReport } from './format-correlation-report.ts'

const node = (id: string, depth: number, rest: Partial<GraphNode> = {}): GraphNode => ({
  id,
  type: 'semantic',
  path: `memory/${id}.md`,
  header: '',
  depth,
  rank: 0.1,
  ...rest,
})

const edge = (
  sourceId: string,
  relationshipType: CorrelationGraph['edges'][number]['relationshipType'],
  targetId: string,
  score: number,
) => ({
  sourceId,
  targetId,
  relationshipType,
  score,
  origin: 'discovered' as const,
  reason: 'Entity match',
})

const correlation = (targetId: string, rest: Partial<Correlation> = {}): Correlation => ({
  targetId,
  targetType: 'semantic',
  relationshipType: 'references',
  score: 0.92,
  reason: 'names its file',
  evidence: [],
  direction: 'out',
  origin: 'discovered',
  ...rest,
})

const review = (a: string, b: string, rest: Partial<ReviewItem> = {}): ReviewItem => ({
  id: `${a}${b}`,
  a: { id: a, path: '', startLine: 1, endLine: 1, text: '' },
  b: { id: b, path: '', startLine: 1, endLine: 1, text: '' },
  reason: '',
  evidence: [],
  status: 'open',
  enforced: false,
  confirmations: 0,
  dismissals: 0,
  history: [],
  openedAt: '2026-03-01T12:00:00.000Z',
  ...rest,
})

const REPORT: CorrelationReport = {
  generatedAt: '2026-03-01T12:00:00.000Z',
  graph: {
    nodes: [
      node('talk', 0, { type: 'episodic', header: 'Deploys' }),
      node('pin', 1),
      node('run', 1, { type: 'procedural' }),
      node('old', 2, { hiddenEdges: 3 }),
      node('lone', 0),
    ],
    edges: [
      edge('talk', 'references', 'pin', 0.92),
      edge('run', 'generalizes', 'talk', 0.85),
      edge('old', 'contradicts', 'pin', 0.7),
      edge('pin', 'supports', 'run', 0.65),
    ],
    orphans: ['lone'],
    unresolved: [
      { memoryId: 'talk', path: 'memory/talk.md', target: 'Nowhere', candidates: [] },
      { memoryId: 'talk', path: 'memory/talk.md', target: 'Plan', candidates: ['a/Plan.md', 'b/Plan.md'] },
    ],
    tiers: [
      { tier: 'episodic', count: 1, averageScore: 0.885 },
      { tier: 'semantic', count: 3, averageScore: 0.7567 },
      { tier: 'procedural', count: 1, averageScore: 0.75 },
    ],
    leftOut: 4,
  },
  correlations: [
    {
      memoryId: 'talk',
      correlations: [
        correlation('pin'),
        correlation('run', { targetType: 'procedural', relationshipType: 'generalizes', direction: 'in', score: 0.85 }),
        correlation('far', { relationshipType: 'supports', score: 0.9, origin: 'computed' }),
      ],
      totalFound: 7,
      degraded: [{ part: 'vector', reason: 'no model' }],
    },
  ],
  reviews: [review('old', 'pin')],
  places: new Map([['far', 'memory/far.md:3']]),
}

describe('the report on correlations', () => {
  it('says what is related, how the graph hangs together, how tiers share it, and what to look at', () => {
    expect(formatCorrelationReport(REPORT)).toBe(`# Cross-Tier Correlation Report

**Generated:** 2026-03-01T12:00:00.000Z  
**Seed Memory:** memory/talk.md › Deploys (talk); memory/lone.md (lone)

## Direct Correlations (3 of 7)

| Target | Type | Relationship | Score | Reason |
| --- | --- | --- | --- | --- |
| memory/pin.md (pin) | semantic | references | 0.92 | names its file |
| memory/run.md (run) | procedural | ← generalizes | 0.85 | names its file |
| memory/far.md:3 (far) | semantic | supports | 0.90 | names its file |

← marks what the target is to the seed memory; the others say what the seed memory is to the target.

Not everything was asked: vector: no model.

Direct correlations are listed of the first 1 of 2 seed memories.

## Correlation Graph

\`\`\`text
memory/talk.md › Deploys [talk]
├── memory/pin.md [pin] (references, 0.92)
│   └── memory/old.md [old] (contradicts, 0.70)
└── memory/run.md [run] (← generalizes, 0.85)
memory/lone.md [lone]
(1 more relationship between these memories)
\`\`\`

Of memories with very many relationships, 3 weaker ones were not followed.

At least 4 memories found no room.

## Tier Distribution

| Tier | Count | Avg Score |
| --- | --- | --- |
| Episodic | 1 | 0.89 |
| Semantic | 3 | 0.76 |
| Procedural | 1 | 0.75 |

## Recommendations

1. **Strong link** — memory/talk.md › Deploys (talk) → memory/pin.md (pin) (references, 0.92)
2. **Strong link** — memory/talk.md › Deploys (talk) → memory/far.md:3 (far) (supports, 0.90)
3. **Strong link** — memory/run.md (run) → memory/talk.md › Deploys (talk) (generalizes, 0.85)
4. **Potential contradiction** — memory/old.md (old) ↔ memory/pin.md (pin) (review needed)
5. **Orphan memory** — memory/lone.md (lone) has no correlations
6. **Unresolved link** — "Nowhere" in memory/talk.md names no memory
7. **Unresolved link** — "Plan" in memory/talk.md can mean a/Plan.md or b/Plan.md

---

*Relationships are suggestions, and contradictions wait for a person: no memory was changed.*
`)
  })

  it('says of a contradiction how far people have come with it', () => {
    const lineOf = (reviews: ReviewItem[]): string | undefined =>
      /\*\*(?:Potential c|C)ontradiction\*\*.*$/m.exec(formatCorrelationReport({ ...REPORT, reviews }))?.[0]
    expect(lineOf([])).toMatch(/^\*\*Potential contradiction\*\*.*\(not put before anybody\)$/)
    expect(lineOf([review('pin', 'old', { status: 'confirmed', confirmations: 1 })])).toMatch(
      /^\*\*Contradiction\*\*.*\(confirmed by 1 reviewer, more are needed\)$/,
    )
    expect(lineOf([review('pin', 'old', { status: 'confirmed', confirmations: 2, enforced: true })])).toMatch(
      /^\*\*Contradiction\*\*.*\(confirmed by 2 reviewers\)$/,
    )
  })

  it('keeps its form whatever memories are called', () => {
    const nasty = 'a | b\n# c ``` <img src=x> [x](http://x.test) *d* _e_ \u202e'
    const nodes = [node(nasty, 0, { path: nasty, header: nasty })]
    const report = formatCorrelationReport({
      ...REPORT,
      graph: { ...REPORT.graph, nodes, edges: [], orphans: [nasty], unresolved: [], leftOut: 1 },
      correlations: [
        { memoryId: nasty, correlations: [correlation(nasty, { reason: nasty })], totalFound: 1, degraded: [] },
      ],
      reviews: [],
    })
    const [, fence = ''] = /^(`{3,})text$/m.exec(report) ?? []
    expect(fence).toBe('````')
    const outside = report.replace(new RegExp(`^${fence}text\\n[\\s\\S]*?\\n${fence}$`, 'm'), '')
    const rows = outside.split('\n').filter((line) => line.startsWith('| '))
    expect(
      rows
        .find((row) => row.startsWith('| a'))
        ?.replace(/\\./g, '')
        .split('|'),
    ).toHaveLength(7)
    expect(outside.replace(/\\./g, '')).not.toMatch(/[<\u202e]|\]\(|`|^# c/m)
    expect(outside.match(/^#/gm)).toHaveLength(5)
  })

  it('calls nothing an orphan that it lists a correlation of', () => {
    const computed = { memoryId: 'lone', correlations: [correlation('far')], totalFound: 1, degraded: [] }
    expect(formatCorrelationReport({ ...REPORT, correlations: [computed] })).not.toContain('Orphan')
  })

  it('is whole where there is nothing', () => {
    const graph = { ...REPORT.graph, nodes: [], edges: [], orphans: [], unresolved: [] }
    const { leftOut: _, ...empty } = graph
    const report = formatCorrelationReport({ ...REPORT, graph: empty, correlations: [], reviews: [] })
    expect(report).toContain('**Seed Memory:** none: no memory has a relationship\n')
    expect(report).toContain('## Correlation Graph\n\nEmpty.\n')
    expect(report).toContain('## Recommendations\n\nNone.\n')
  })
})
