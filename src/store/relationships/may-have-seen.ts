import type { Scope } from '../../model/memory.ts'
import type { Viewer } from '../../model/search.ts'
import { maySee } from '../memory-filter.ts'

/** Whether a memory that may be gone was the viewer's to see. Of what nothing is known, the owner alone may know that it was there. */
export function mayHaveSeen(viewer: Viewer, scope: Scope | undefined): boolean {
  return scope === undefined ? viewer.agent === undefined : maySee(viewer, scope)
}
