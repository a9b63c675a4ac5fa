import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { toBeam } from './beam-set.ts'
import type { BenchSet, SetName } from './haystack.ts'
import { toLocomo } from './locomo-set.ts'
import { toLongMemEval, toLongMemEval500 } from './longmemeval-set.ts'
import { type NotesFiles, toNotes } from './notes-set.ts'
import { sampleSet } from './sample-set.ts'

/** Beside the repository, where nobody says otherwise. */
export const DEFAULT_DATA = '../shared/data'

const NOTE_SETS = {
  scifact: 'SciFact (300 claims)',
  xquad_en: 'XQuAD, English',
  xquad_zh: 'XQuAD, Chinese',
  xquad_th: 'XQuAD, Thai',
  xquad_hi: 'XQuAD, Hindi',
  jsquad_valid: 'JSQuAD, Japanese',
} as const
type NoteSetName = keyof typeof NOTE_SETS

const CONVERSATIONS: Record<
  Exclude<SetName, NoteSetName | 'sample'>,
  { file: string; load(lines: unknown[]): BenchSet }
> = {
  locomo: { file: 'locomo-tune.jsonl.gz', load: toLocomo },
  longmemeval: { file: 'longmemeval-s-dev50.jsonl.gz', load: toLongMemEval },
  longmemeval500: { file: 'longmemeval-s-dev50.jsonl.gz', load: toLongMemEval500 },
  beam: { file: 'beam-100k-tune.jsonl.gz', load: toBeam },
}

/** All sets that can be asked for by name. */
export const SET_NAMES: readonly SetName[] = [
  ...(Object.keys(CONVERSATIONS) as SetName[]),
  ...(Object.keys(NOTE_SETS) as SetName[]),
  'sample',
]

/** Loads a set from the data directory, or says why it cannot. */
export function loadSet(name: SetName, dataDirectory: string): BenchSet | { absent: string } {
  if (name === 'sample') return sampleSet()
  const read = (file: string): string => gunzipSync(readFileSync(join(dataDirectory, file))).toString('utf8')
  const parse = (file: string): unknown[] => nonBlankLines(read(file)).map((line): unknown => JSON.parse(line))
  if (isNoteSet(name)) {
    const paths = {
      corpus: `ir/${name}/corpus.jsonl.gz`,
      queries: `ir/${name}/queries.jsonl.gz`,
      qrels: `ir/${name}/qrels.tsv.gz`,
    }
    const missing = Object.values(paths).find((file) => !existsSync(join(dataDirectory, file)))
    if (missing) return absent(join(dataDirectory, missing))
    const files: NotesFiles = {
      corpus: parse(paths.corpus),
      queries: parse(paths.queries),
      qrels: nonBlankLines(read(paths.qrels)),
    }
    return toNotes(name, NOTE_SETS[name], files)
  }
  const { file, load } = CONVERSATIONS[name]
  return existsSync(join(dataDirectory, file)) ? load(parse(file)) : absent(join(dataDirectory, file))
}

function isNoteSet(name: SetName): name is NoteSetName {
  return name in NOTE_SETS
}

function absent(file: string): { absent: string } {
  return { absent: `${file} does not exist (bench/README.md says where to get it)` }
}

function nonBlankLines(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '')
}
