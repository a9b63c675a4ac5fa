import { existsSync } from 'node:fs'
import { folderFrom, joinPath, resolveFrom } from '../host-folders.ts'
import { appendAt, pruneAt, readAt, removeAt, setAt } from '../json/edit-json.ts'
import { type HostFile, type Launch, TextProblem, type WirableHost, type WirePlaces } from '../wirable-host.ts'
import { findOpenClawTroubles } from './find-openclaw-troubles.ts'
import { asksForConsent, HOST_MEMORY, PLUGINS, type PluginMode } from './openclaw-plugins.ts'

const IDS: readonly string[] = Object.values(PLUGINS).map(({ id }) => id)
const OUR_FOLDER = /[\\/]plugins[\\/]openclaw(?:-memory)?[\\/]?$/

/** OpenClaw: a plugin, loaded from the installed package. `openclaw:memory` puts it in the place of the host's memory. */
export const openclaw: WirableHost = {
  id: 'openclaw',
  name: 'OpenClaw',
  variants: ['memory', 'companion'],
  next: 'Restart the gateway (`openclaw gateway restart`); `openclaw madeleine doctor` tells how it fares.',
  detect: (places) => existsSync(configFile(places)) || existsSync(stateFolder(places)),
  files: (places, launch, variant) => [pluginIn(configFile(places), places, launch, variant)],
  check: findOpenClawTroubles,
}

function configFile(places: WirePlaces): string {
  const { OPENCLAW_CONFIG_PATH: named } = places.env
  return named?.trim() ? resolveFrom(places, named.trim()) : joinPath(places, stateFolder(places), 'openclaw.json')
}

function stateFolder(places: WirePlaces): string {
  const { OPENCLAW_PROFILE: profile } = places.env
  const home = folderFrom(places, 'OPENCLAW_HOME', places.home)
  const usual = profile && profile !== 'default' ? `.openclaw-${profile}` : '.openclaw'
  return folderFrom(places, 'OPENCLAW_STATE_DIR', joinPath(places, home, usual))
}

function pluginIn(path: string, places: WirePlaces, launch: Launch, variant: string | undefined): HostFile {
  const folderOf = (mode: PluginMode): string => joinPath(places, launch.packageFolder, 'plugins', PLUGINS[mode].folder)
  const ours = [folderOf('companion'), folderOf('owner')]
  return {
    path,
    wire(text = '') {
      const mode = modeOf(text, variant)
      const { id } = PLUGINS[mode]
      refuseDenied(text, id)
      const other = PLUGINS[mode === 'owner' ? 'companion' : 'owner']
      const alone =
        readAt(text, ['plugins', 'entries', other.id]) === undefined ? text : takeOut(text, { ids: [other.id], ours })
      const loaded = load(alone, folderOf(mode), ours)
      const allowed = Array.isArray(readAt(loaded, ['plugins', 'allow']))
        ? addOnce(loaded, ['plugins', 'allow'], id)
        : loaded
      const entered = enter(allowed, id, launch.pluginConfig)
      return mode === 'owner' ? takeSlot(entered) : entered
    },
    unwire: (text, before) => takeOut(text, { ids: IDS, ours, before }),
    look(text) {
      const folders = pathsIn(text).filter((one) => isOurFolder(one, ours))
      const entries = IDS.filter((id) => readAt(text, ['plugins', 'entries', id]) !== undefined)
      return { present: Math.min(1, folders.length) + Math.min(1, entries.length), wanted: 2, programs: folders }
    },
  }
}

/** What is asked for; else what is there; else beside the host's memory. */
function modeOf(text: string, variant: string | undefined): PluginMode {
  if (variant !== undefined) return variant === 'memory' ? 'owner' : 'companion'
  return readAt(text, ['plugins', 'entries', PLUGINS.owner.id]) === undefined ? 'companion' : 'owner'
}

/** What its user has forbidden is not allowed behind their back. */
function refuseDenied(text: string, id: string): void {
  const denied = readAt(text, ['plugins', 'deny'])
  if (!Array.isArray(denied) || !denied.includes(id)) return
  throw new TextProblem(`plugins.deny forbids "${id}"`, {
    text,
    at: text.indexOf(id, text.indexOf('deny')),
    remedy: `Take "${id}" out of plugins.deny; then run it again.`,
  })
}

/** The plugin's folder among those that are loaded, in the place of one from another installation. */
function load(text: string, folder: string, ours: readonly string[]): string {
  const place = ['plugins', 'load', 'paths']
  const old = pathsIn(text).findIndex((path) => isOurFolder(path, ours))
  if (pathsIn(text).includes(folder) || old === -1) return addOnce(text, place, folder)
  return setAt(text, [...place, old], folder)
}

/** The plugin's entry: what is not there is added, what its user has set stays. */
function enter(text: string, id: string, config: Readonly<Record<string, string>>): string {
  const entry = ['plugins', 'entries', id]
  const hooks = asksForConsent(text) ? { allowConversationAccess: true } : {}
  const wanted = {
    enabled: true,
    ...(Object.keys(hooks).length > 0 && { hooks }),
    ...(Object.keys(config).length > 0 && { config }),
  }
  if (readAt(text, entry) === undefined) return setAt(text, entry, wanted)
  text = setAt(text, [...entry, 'enabled'], true)
  for (const [name, value] of Object.entries(hooks)) text = setAt(text, [...entry, 'hooks', name], value)
  for (const [name, value] of Object.entries(config)) {
    const place = [...entry, 'config', name]
    if (readAt(text, place) === undefined) text = setAt(text, place, value)
  }
  return text
}

function takeSlot(text: string): string {
  const placed = setAt(text, ['plugins', 'slots', 'memory'], PLUGINS.owner.id)
  return setAt(placed, ['plugins', 'entries', HOST_MEMORY, 'enabled'], false)
}

interface TakeOut {
  ids: readonly string[]
  ours: readonly string[]
  before?: string | undefined
}

/** Without the plugins of these ids. The slot goes back to whom it belonged, and the host's memory is as it was. */
function takeOut(text: string, { ids, ours, before }: TakeOut): string {
  for (const id of ids) {
    text = dropWhere(text, ['plugins', 'allow'], (one) => one === id, before)
    text = pruneAt(removeAt(text, ['plugins', 'entries', id]), ['plugins', 'entries'], before)
  }
  if (ids.includes(PLUGINS.owner.id) && readAt(text, ['plugins', 'slots', 'memory']) === PLUGINS.owner.id) {
    text = giveBack(text, ['plugins', 'slots', 'memory'], before)
    text = giveBack(text, ['plugins', 'entries', HOST_MEMORY, 'enabled'], before)
  }
  return dropWhere(
    text,
    ['plugins', 'load', 'paths'],
    (one) => typeof one === 'string' && isOurFolder(one, ours),
    before,
  )
}

/** The value from before, or none. */
function giveBack(text: string, place: readonly string[], before: string | undefined): string {
  const value = before === undefined ? undefined : readAt(before, place)
  if (value !== undefined) return setAt(text, place, value)
  return pruneAt(removeAt(text, place), place.slice(0, -1), before)
}

function dropWhere(
  text: string,
  place: readonly string[],
  isOurs: (item: unknown) => boolean,
  before: string | undefined,
): string {
  const items = readAt(text, place)
  if (!Array.isArray(items) || !items.some(isOurs)) return text
  for (let at = items.length - 1; at >= 0; at--) if (isOurs(items[at])) text = removeAt(text, [...place, at])
  return pruneAt(text, place, before)
}

function addOnce(text: string, place: readonly string[], item: string): string {
  const items = readAt(text, place)
  return Array.isArray(items) && items.includes(item) ? text : appendAt(text, place, item)
}

function pathsIn(text: string): string[] {
  const paths = readAt(text, ['plugins', 'load', 'paths'])
  return Array.isArray(paths) ? paths.filter((path) => typeof path === 'string') : []
}

/** A folder of ours, of this installation or of another one that is called by our name. */
function isOurFolder(path: string, ours: readonly string[]): boolean {
  return ours.includes(path) || (OUR_FOLDER.test(path) && /madeleine/i.test(path))
}
