import { MadeleineError } from '../errors.ts'
import type { LinkReport } from '../model/correlation.ts'
import type { Problem } from '../model/document.ts'
import type { IndexOptions } from '../model/engine.ts'
import { describeFailure } from '../normalize/index.ts'
import { INDEX_LINKS } from '../options.ts'

type LinkAdded = (
  scope: { limit: number },
  options: { onProgress?: (progress: { done: number; total: number }) => void; signal?: AbortSignal },
) => Promise<LinkReport | null>

/**
 * Relates some of what waits for it to other memories; the rest goes on waiting. What fails is a problem of the run and costs it
 * nothing else; an abort ends the run.
 */
export async function linkIndexed(
  linkAdded: LinkAdded,
  problems: Array<Problem & { failed?: boolean }>,
  { onProgress, signal }: IndexOptions,
): Promise<LinkReport | null> {
  try {
    return await linkAdded(
      { limit: INDEX_LINKS },
      {
        ...(onProgress && { onProgress: (progress) => onProgress({ phase: 'link', ...progress }) }),
        ...(signal && { signal }),
      },
    )
  } catch (error) {
    if (error instanceof MadeleineError && error.code === 'INTERRUPTED') throw error
    problems.push({ path: 'relationships', reason: describeFailure(error), failed: true })
    return null
  }
}
