import type { PairLabel } from './relation-pairs.ts'

/** What is said of a pair, and how sure it is that it is a contradiction. */
export interface Verdict {
  verdict: 'contradict' | 'entail' | 'neutral'
  strength: number
}

export interface Judged extends Verdict {
  label: PairLabel
}

export interface LabelScores {
  precision: number
  recall: number
  f1: number
}

/** Precision, recall and F1 of one verdict against the labels that it stands for; undefined where no pair has such a label. */
export function judgeLabels(
  judged: readonly Judged[],
  labels: readonly PairLabel[],
  verdict: Verdict['verdict'],
): LabelScores | undefined {
  const wanted = judged.filter(({ label }) => labels.includes(label))
  if (wanted.length === 0) return undefined
  const given = judged.filter((one) => one.verdict === verdict)
  const right = given.filter(({ label }) => labels.includes(label)).length
  const precision = given.length === 0 ? 0 : right / given.length
  const recall = right / wanted.length
  return { precision, recall, f1: right === 0 ? 0 : (2 * precision * recall) / (precision + recall) }
}

/** Average precision of contradictions and updates by strength, ties against them; undefined where there is none. */
export function averagePrecision(judged: readonly Pick<Judged, 'label' | 'strength'>[]): number | undefined {
  const isRight = ({ label }: Pick<Judged, 'label'>): boolean => label === 'contradict' || label === 'update'
  const ranked = [...judged].sort((a, b) => b.strength - a.strength || Number(isRight(a)) - Number(isRight(b)))
  let [right, sum] = [0, 0]
  ranked.forEach((one, index) => {
    if (!isRight(one)) return
    right += 1
    sum += right / (index + 1)
  })
  return right === 0 ? undefined : sum / right
}

/** The F1 of contradictions and updates that the best threshold on strength would give; undefined where there is none. */
export function bestF1(judged: readonly Pick<Judged, 'label' | 'strength'>[]): number | undefined {
  const wanted = judged.filter(({ label }) => label === 'contradict' || label === 'update').length
  const ranked = [...judged].filter(({ strength }) => strength > 0).sort((a, b) => b.strength - a.strength)
  let [right, best] = [0, 0]
  ranked.forEach(({ label, strength }, index) => {
    if (label === 'contradict' || label === 'update') right += 1
    // A threshold lies between two strengths, not within a tie.
    if (ranked[index + 1]?.strength !== strength) best = Math.max(best, (2 * right) / (index + 1 + wanted))
  })
  return wanted === 0 ? undefined : best
}
