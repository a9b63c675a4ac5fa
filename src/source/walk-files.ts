import { type BigIntStats, type Dirent, existsSync, realpathSync } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import nodePath from 'node:path'
import { MadeleineError, messageOf } from '../errors.ts'
import { STATS_AHEAD } from '../options.ts'
import type { OnSkip, SourceEntry } from './source.ts'

/** What a walk asks about each name that it meets. */
export interface WalkRules {
  /** Why a folder is not entered, or undefined to enter it. Folders left out with '' are not worth a report. */
  skipFolder(relativePath: string, name: string): string | undefined
  /** 'read', or why the file is left out; '' leaves it out without a report (it is of another kind altogether). */
  judgeFile(relativePath: string, name: string): 'read' | string
  /** Called with each folder before its names are judged, to read rule files that stand in it. False: it must not be entered. */
  enterFolder?(relativePath: string, names: readonly string[]): Promise<boolean>
  /**
   * Why what a link leads to is left out by the name it has of its own, or undefined. Without it a link would show what a rule
   * hides. `relativePath` is that of the target.
   */
  judgeTarget?(relativePath: string, isFolder: boolean): Promise<string | undefined>
}

/** `file` relative to `root` with `/`, spelled as on disk. `path` is node's path module, or that of another platform. */
export function relativeKey(
  file: string,
  root: string,
  path: Pick<typeof nodePath, 'relative' | 'sep'> = nodePath,
): string {
  return path.relative(root, file).split(path.sep).join('/')
}

/** The real path of a root, or its absolute path while it does not exist. */
export function resolveRoot(root: string): string {
  const absolute = nodePath.resolve(root)
  return existsSync(absolute) ? realpathSync(absolute) : absolute
}

/** Rejects with SOURCE_UNREADABLE unless the root is a folder. */
export async function assertRoot(root: string): Promise<void> {
  let isFolder: boolean
  try {
    isFolder = (await stat(root)).isDirectory()
  } catch (cause) {
    throw new MadeleineError('SOURCE_UNREADABLE', `Cannot read the source folder ${root}: ${messageOf(cause)}`, {
      remedy: 'Create the folder, correct its path, or take it out of the configuration.',
      cause,
    })
  }
  if (isFolder) return
  throw new MadeleineError('SOURCE_UNREADABLE', `Cannot read the source folder ${root}: it is a file`, {
    remedy: 'Give the folder that holds the file.',
  })
}

/** A link seen on the way, judged after everything that stands there in its own right. */
interface Link {
  absolutePath: string
  relativePath: string
  name: string
}

/**
 * Every file below the root that the rules let through, each once. Links are followed after the walk: one that leads inside
 * the root is read where nothing else leads there, one that leads out of it, or nowhere, goes to `onSkip`.
 */
export async function* walkFiles(root: string, rules: WalkRules, onSkip: OnSkip): AsyncGenerator<SourceEntry> {
  const visited = new Set<string>()
  const links: Link[] = []
  const walk = (folder: string, prefix: string): AsyncGenerator<SourceEntry> =>
    walkFolder({ folder, prefix, root, rules, onSkip, visited, links })
  yield* walk(root, '')
  for (let link = links.shift(); link; link = links.shift()) {
    const target = await followLink(link, root, onSkip)
    if (!target || visited.has(target.realPath)) continue
    if (!(await isOpen(link, target, { root, rules, onSkip }))) continue
    if (target.isFolder) {
      const reason = rules.skipFolder(link.relativePath, link.name)
      if (reason === undefined) yield* walk(link.absolutePath, `${link.relativePath}/`)
      else if (reason !== '') onSkip({ path: link.relativePath, reason })
    } else {
      const entry = await judge(link, rules, onSkip)
      if (entry) {
        visited.add(target.realPath)
        yield entry
      }
    }
  }
}

interface FolderWalk {
  folder: string
  prefix: string
  root: string
  rules: WalkRules
  onSkip: OnSkip
  visited: Set<string>
  links: Link[]
}

async function* walkFolder(walk: FolderWalk): AsyncGenerator<SourceEntry> {
  const { folder, prefix, root, rules, onSkip, visited, links } = walk
  const realFolder = await realPathOf(folder)
  if (visited.has(realFolder)) return
  visited.add(realFolder)
  const names = await readFolder(walk)
  const nameList = names.map((item) => item.name)
  if ((await rules.enterFolder?.(prefix, nameList)) === false) return
  // Below a link everything has two names, and what either hides is hidden.
  const isLinked = realFolder !== nodePath.resolve(root, prefix)
  const statOf = statAhead(folder, names)
  for (const [index, item] of names.entries()) {
    const found: Link = {
      absolutePath: nodePath.join(folder, item.name),
      relativePath: prefix + item.name,
      name: item.name,
    }
    if (item.isSymbolicLink()) {
      links.push(found)
      continue
    }
    const realPath = nodePath.join(realFolder, item.name)
    if (isLinked && !(await isOpen(found, { realPath, isFolder: item.isDirectory() }, walk))) continue
    if (item.isDirectory()) {
      const reason = rules.skipFolder(found.relativePath, item.name)
      if (reason === undefined) {
        yield* walkFolder({ ...walk, folder: found.absolutePath, prefix: `${found.relativePath}/` })
      } else if (reason !== '') onSkip({ path: found.relativePath, reason })
    } else {
      const entry = await judge(found, rules, onSkip, () => statOf(index))
      if (!entry) continue
      visited.add(realPath)
      yield entry
    }
  }
}

/** Whether no rule hides what stands at this real path; else the rule goes to `onSkip`. */
async function isOpen(
  found: Link,
  target: { realPath: string; isFolder: boolean },
  { root, rules, onSkip }: Pick<FolderWalk, 'root' | 'rules' | 'onSkip'>,
): Promise<boolean> {
  const reason = await rules.judgeTarget?.(relativeKey(target.realPath, root), target.isFolder)
  if (reason !== undefined) onSkip({ path: found.relativePath, reason: `link leads to what is left out: ${reason}` })
  return reason === undefined
}

/** The names of a folder in a fixed order; none where it cannot be read. */
async function readFolder(walk: FolderWalk): Promise<Dirent[]> {
  try {
    const names = await readdir(walk.folder, { withFileTypes: true })
    return names.sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (error) {
    walk.onSkip(
      { path: walk.prefix || '.', reason: `folder cannot be read: ${reasonOf(error, walk.prefix)}`, failed: true },
      walk.prefix,
    )
    return []
  }
}

/** Looks at the files of a folder a few ahead of the one asked for: each answer takes long, and many can be waited for at once. */
function statAhead(folder: string, names: readonly Dirent[]): (index: number) => Promise<BigIntStats> {
  const asked = new Map<number, Promise<BigIntStats>>()
  let next = 0
  const ask = (name: string): Promise<BigIntStats> => stat(nodePath.join(folder, name), { bigint: true })
  return (index) => {
    for (next = Math.max(next, index); next < Math.min(names.length, index + STATS_AHEAD); next++) {
      const item = names[next]
      if (!item?.isFile()) continue
      const answer = ask(item.name)
      // Whoever asks for it hears of it; nobody may.
      answer.catch(() => undefined)
      asked.set(next, answer)
    }
    const answer = asked.get(index) ?? ask(names[index]?.name ?? '')
    asked.delete(index)
    return answer
  }
}

async function judge(
  found: Link,
  rules: WalkRules,
  onSkip: OnSkip,
  look = () => stat(found.absolutePath, { bigint: true }),
): Promise<SourceEntry | undefined> {
  const verdict = rules.judgeFile(found.relativePath, found.name)
  if (verdict !== 'read') {
    if (verdict !== '') onSkip({ path: found.relativePath, reason: verdict })
    return undefined
  }
  try {
    const info = await look()
    if (!info.isFile()) {
      // Reading a pipe or a device may never end.
      onSkip({ path: found.relativePath, reason: 'no regular file but a pipe, a socket or a device' })
      return undefined
    }
    return {
      path: found.relativePath,
      absolutePath: found.absolutePath,
      bytes: Number(info.size),
      modifiedMs: Number(info.mtimeMs),
      fingerprint: `${info.size}-${info.mtimeNs}-${info.ctimeNs}-${info.ino}`,
    }
  } catch (error) {
    // What vanished since it was listed is gone; all else is there and must not be taken for removed.
    const isGone = codeOf(error) === 'ENOENT' && !found.name.includes(REPLACEMENT)
    const problem = { path: found.relativePath, reason: `file cannot be read: ${reasonOf(error, found.name)}` }
    if (isGone) onSkip(problem)
    else onSkip({ ...problem, failed: true }, found.relativePath)
    return undefined
  }
}

/** What stands in a decoded name for bytes that are no UTF-8: the file cannot be reached by such a name. */
const REPLACEMENT = '\u{fffd}'

function reasonOf(error: unknown, name: string): string {
  return name.includes(REPLACEMENT) && codeOf(error) === 'ENOENT'
    ? 'its name is no valid UTF-8: rename it'
    : messageOf(error)
}

function codeOf(error: unknown): unknown {
  return (error as NodeJS.ErrnoException).code
}

async function followLink(
  link: Link,
  root: string,
  onSkip: OnSkip,
): Promise<{ realPath: string; isFolder: boolean } | undefined> {
  try {
    const realPath = await realpath(link.absolutePath)
    if (!isInside(realPath, root)) {
      onSkip({ path: link.relativePath, reason: 'link leads out of the root: add its target as a root of its own' })
      return undefined
    }
    return { realPath, isFolder: (await stat(realPath)).isDirectory() }
  } catch (error) {
    const problem = { path: link.relativePath, reason: `link leads nowhere: ${reasonOf(error, link.name)}` }
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ELOOP') onSkip(problem)
    else onSkip({ ...problem, failed: true }, link.relativePath)
    return undefined
  }
}

function isInside(path: string, root: string): boolean {
  const relative = nodePath.relative(root, path)
  return (
    relative === '' || !(relative === '..' || relative.startsWith(`..${nodePath.sep}`) || nodePath.isAbsolute(relative))
  )
}

async function realPathOf(path: string): Promise<string> {
  return realpath(path).catch(() => path)
}
