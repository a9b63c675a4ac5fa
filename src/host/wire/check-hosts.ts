import { existsSync } from 'node:fs'
import { messageOf } from '../../errors.ts'
import type { Finding } from '../../index.ts'
import { WIRABLE_HOSTS } from './hosts.ts'
import { copiesOf, readText } from './replace-file.ts'
import type { HostFile, Launch, WirableHost, WiredParts, WirePlaces } from './wirable-host.ts'

interface Looked {
  file: HostFile
  text: string
  parts: WiredParts
}

/** What is wrong with hosts that were wired: parts that are gone, programs that are gone, settings of the host that stand against it. */
export function checkHosts(places: WirePlaces, launch: Launch): Finding[] {
  return WIRABLE_HOSTS.flatMap((host) => {
    const files = host.files(places, launch)
    const found = files.map((file) => look(host, file))
    const unreadable = found.filter((one): one is Finding => 'severity' in one)
    const looked = found.filter((one): one is Looked => 'parts' in one)
    const isWired = looked.some(({ parts }) => parts.present > 0)
    const lost = [...findLost(host, looked), ...findIncomplete(host, looked)]
    const wasWired = files.some(({ path }) => copiesOf(path).length > 0)
    if (!isWired) return wasWired ? [...unreadable, ...lost] : []
    const wired = looked.filter(({ parts }) => parts.present > 0)
    const texts = wired.map(({ file, text }) => ({ path: file.path, text }))
    const own = host.check?.({ files: texts }) ?? []
    return [...unreadable, ...lost, ...findGone(host, wired), ...own]
  })
}

function look({ id, name }: WirableHost, file: HostFile): Looked | Finding | Record<string, never> {
  try {
    const text = readText(file.path)
    return text === undefined ? {} : { file, text, parts: file.look(text) }
  } catch (error) {
    return {
      id: `${id}-unreadable`,
      severity: 'error',
      message: `${name}'s ${file.path} cannot be read: ${messageOf(error)}`,
      remedy: 'Correct the file',
    }
  }
}

/** A file that was wired and holds nothing of ours any more: something has rewritten it. */
function findLost({ id, name }: WirableHost, looked: readonly Looked[]): Finding[] {
  return looked
    .filter(({ file, parts }) => parts.present === 0 && parts.wanted > 0 && copiesOf(file.path).length > 0)
    .map(({ file }) => ({
      id: `${id}-unwired`,
      severity: 'warning',
      message: `${name} was wired, and ${file.path} does not hold it any more`,
      remedy: `Run "madeleine init --wire ${id}"; or delete ${copiesOf(file.path).join(' and ')} if that is meant`,
    }))
}

function findIncomplete({ id, name }: WirableHost, looked: readonly Looked[]): Finding[] {
  return looked
    .filter(({ parts: { present, wanted } }) => present > 0 && present < wanted)
    .map(({ file, parts: { present, wanted } }) => ({
      id: `${id}-incomplete`,
      severity: 'warning',
      message: `${name} is wired in part: ${file.path} holds ${present} of ${wanted} entries`,
      remedy: `Run "madeleine init --wire ${id}"`,
    }))
}

/** Programs that a host would start in vain. */
function findGone({ id, name }: WirableHost, wired: readonly Looked[]): Finding[] {
  const programs = new Set(wired.flatMap(({ parts }) => parts.programs))
  return [...programs]
    .filter((path) => !existsSync(path))
    .map((path) => ({
      id: `${id}-gone`,
      severity: 'error',
      message: `${name} is wired to ${path}, which is not there`,
      remedy: `Run "madeleine init --wire ${id}" to name the program where it is now`,
    }))
}
