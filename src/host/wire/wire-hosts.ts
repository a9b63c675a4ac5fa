import { readdirSync, rmdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { MadeleineError, messageOf } from '../../errors.ts'
import type { NamedHost } from './hosts.ts'
import { copiesOf, keepCopy, readText, replaceFile, setCopyAside } from './replace-file.ts'
import { type HostFile, type Launch, TextProblem, type WirePlaces } from './wirable-host.ts'

export type WireAction = 'wired' | 'unchanged' | 'unwired' | 'absent'

/** What became of one file of a host. */
export interface WireReport {
  host: string
  file: string
  action: WireAction
  /** The file as it was before the first change. */
  backup?: string
}

/** One file's change, thought out and not made yet. */
export interface WirePlan extends WireReport {
  /** As the file is; undefined where it is not there. */
  before: string | undefined
  /** As it will be; undefined where it goes away again. */
  after: string | undefined
  /** A file that is changed for the first time is copied. */
  isFirst?: boolean
  /** The copy that the file comes back from; it is not needed any more then. */
  restoredFrom?: string
  /** The folder that goes with the file, where nothing else is in it. */
  folder?: string
}

interface PlanOptions {
  places: WirePlaces
  launch: Launch
  /** The hosts were named: one that is not installed is wired nevertheless. */
  isNamed: boolean
}

/**
 * Thinks out how hosts are wired and writes nothing. Throws INVALID_OPTION for the first file that cannot be read, naming line and remedy,
 * so that either all of it can be done or nothing is begun.
 */
export function planWiring(hosts: readonly NamedHost[], { places, launch, isNamed }: PlanOptions): WirePlan[] {
  return hosts.flatMap(({ host, variant }) => {
    const isThere = host.detect(places)
    return host.files(places, launch, variant).map((file): WirePlan => {
      const before = readHostFile(file.path, host.name)
      const base = { host: host.id, file: file.path, before }
      if (!isThere && !isNamed) return { ...base, action: 'absent', after: before }
      const after = change(file.path, host.name, () => wireOne(file, before, variant))
      if (after === (before ?? '')) return { ...base, action: 'unchanged', after: before, ...knownCopy(file.path) }
      const isFirst = before !== undefined && deservesCopy(file, before)
      return { ...base, action: 'wired', after, isFirst, ...knownCopy(file.path) }
    })
  })
}

/** The same for taking out what is ours. A file that nobody else has changed since becomes what it was, to the byte. */
export function planUnwiring(
  hosts: readonly NamedHost[],
  { places, launch }: Omit<PlanOptions, 'isNamed'>,
): WirePlan[] {
  return hosts.flatMap(({ host }) => {
    const ways = [undefined, ...(host.variants ?? [])].map((variant) => host.files(places, launch, variant))
    return host.files(places, launch).map((file, at): WirePlan => {
      const before = readHostFile(file.path, host.name)
      const base = { host: host.id, file: file.path, before }
      if (before === undefined) return { ...base, action: 'absent', after: before }
      const asWired = ways.flatMap((files) => files[at] ?? [])
      return { ...base, ...change(file.path, host.name, () => planOne(file, before, { asWired, places })) }
    })
  })
}

type Outcome = Pick<WirePlan, 'action' | 'after' | 'restoredFrom' | 'backup' | 'folder'>

function planOne(
  file: HostFile,
  text: string,
  { asWired, places }: { asWired: readonly HostFile[]; places: WirePlaces },
): Outcome {
  const copies = copiesWithoutUs(file)
  const newest = copies[0]
  const without = file.unwire(text, newest?.text)
  if (without === text) return { action: 'unchanged', after: text }
  const comesFrom = (earlier: string | undefined) => asWired.some((way) => wouldBecome(way, earlier, text))
  const own = copies.find((copy) => comesFrom(copy.text))
  if (own) return { action: 'unwired', after: own.text, restoredFrom: own.path }
  const folder = dirname(file.path)
  if (newest === undefined && comesFrom(undefined)) {
    return { action: 'unwired', after: undefined, ...(folder !== places.home && { folder }) }
  }
  return { action: 'unwired', after: without }
}

/** Wired another way than it was, a file first becomes what it was without us: values that we have replaced would be lost otherwise. */
function wireOne(file: HostFile, text: string | undefined, variant: string | undefined): string {
  const wired = file.wire(text)
  if (variant === undefined || text === undefined || wired === text) return wired
  const [newest] = copiesWithoutUs(file)
  return newest ? file.wire(file.unwire(text, newest.text)) : wired
}

/** The copies from before the first change, newest first. One of a file that was wired by hand is kept, and is none of them. */
function copiesWithoutUs(file: HostFile): { path: string; text: string }[] {
  return copiesOf(file.path)
    .map((path) => ({ path, text: readText(path) ?? '' }))
    .filter(({ text }) => isFreeOfUs(file, text))
}

/** What is changed for the first time, or was wired by hand; a file that was made for our sake holds nothing to keep. */
function deservesCopy(file: HostFile, text: string): boolean {
  if (file.look(text).present === 0) return true
  return copiesOf(file.path).length === 0 && !/^(?:\{\})?$/.test(file.unwire(text).trim())
}

function isFreeOfUs(file: HostFile, text: string): boolean {
  try {
    return file.look(text).present === 0
  } catch (error) {
    if (error instanceof TextProblem) return false
    throw error
  }
}

/** Whether a text is what wiring makes of an earlier one; an earlier one that cannot be read any more is not. */
function wouldBecome(file: HostFile, earlier: string | undefined, text: string): boolean {
  try {
    return file.wire(earlier) === text
  } catch (error) {
    if (error instanceof TextProblem) return false
    throw error
  }
}

/** Makes the changes that were thought out. Throws INVALID_OPTION where one cannot be made; those before it are made then. */
export function carryOut(plans: readonly WirePlan[]): WireReport[] {
  return plans.map((plan) => {
    const { host, file, action, before, after } = plan
    if (action !== 'wired' && action !== 'unwired') return reportOf(plan)
    try {
      if (readText(file) !== before) throw new Error('another program has changed it meanwhile')
      const copy = plan.isFirst && before !== undefined ? keepCopy(file, before) : plan.backup
      if (after === undefined) takeAway(plan)
      else replaceFile(file, after)
      const backup = action === 'unwired' ? clearCopies(plan) : copy
      return { host, file, action, ...(backup !== undefined && { backup }) }
    } catch (cause) {
      throw new MadeleineError('INVALID_OPTION', `Cannot write ${file}: ${messageOf(cause)}`, {
        remedy: 'Check the permissions and the free space of its folder; then run it again.',
        cause,
      })
    }
  })
}

/** What a plan says, in the words of a report. */
export function reportOf({ host, file, action, backup }: WirePlan): WireReport {
  return { host, file, action, ...(backup !== undefined && { backup }) }
}

/** Of the copies of a file that is not wired any more, the one that it came back from goes, and others stay under another name. */
function clearCopies({ file, restoredFrom }: WirePlan): string | undefined {
  let kept: string | undefined
  for (const copy of copiesOf(file)) {
    if (copy === restoredFrom) rmSync(copy)
    else kept = setCopyAside(file, copy)
  }
  return kept
}

function knownCopy(path: string): { backup?: string } {
  const newest = copiesOf(path)[0]
  return newest === undefined ? {} : { backup: newest }
}

/** A file that is there for our sake alone, and its folder where nothing else is in it. */
function takeAway({ file, folder }: WirePlan): void {
  rmSync(file)
  if (folder !== undefined && readdirSync(folder).length === 0) rmdirSync(folder)
}

function readHostFile(path: string, name: string): string | undefined {
  return change(path, name, () => readText(path))
}

/** Says of whatever stands against a change in which file, which line, and what to do. */
function change<T>(path: string, name: string, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    const place = cause instanceof TextProblem ? `${path}:${cause.line}` : path
    const remedy =
      (cause instanceof TextProblem && cause.remedy) || `Correct the file; ${name} may not be able to read it either.`
    throw new MadeleineError('INVALID_OPTION', `Cannot change ${place}: ${messageOf(cause)}`, { remedy, cause })
  }
}
