import type { MemoryContent } from '../../model/memory.ts'
import { sha256 } from '../../text/hash.ts'
import { indexTerms } from '../../text/index-terms.ts'

/** Words of many kinds and scripts: whatever changes the terms of texts changes these. */
const SAMPLE: Pick<MemoryContent, 'text' | 'headerPath' | 'speaker'> = {
  text:
    "Running REQ-0417's backups, isn't it? Re-run req_0417 by 2026-02-08 on host-3.example.org at 10.0.0.1:8080; " +
    'hasOwnProperty parseHTTPResponse __proto__ C++ naïve Zürich Übungen straße Ελλάδα Москва 备份脚本 コーヒー ไปไหนมา हिन्दी ' +
    'مرحبا 한국어 ½ ﬁne 🦩 the and not children flies generalization hopeful',
  headerPath: ['Operations', 'Backups > nightly'],
  speaker: 'Ada O’Neil',
}

let known: string | undefined

/** Names the way in which texts become terms: a fingerprint of what comes out, so that no change of it is overlooked. */
export function indexVersion(): string {
  if (known === undefined) {
    const { frequencies, length } = indexTerms(SAMPLE, 'memory/topics/Back-ups_2026.md')
    known = sha256(JSON.stringify([[...frequencies], length]))
  }
  return known
}
