import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { SETTING_NAMES, SETTINGS } from '../../cli/settings.ts'
import { HOOK_KEPT_SETTINGS } from '../host-options.ts'
import { fingerprintSettings, type HookSettings, keepSettings, recallSettings } from './hook-settings.ts'

const fingerprint = (env: NodeJS.ProcessEnv) =>
  fingerprintSettings({ version: '1', env, home: '/home/vera', configFile: '/no/such/config.yaml' })

describe('the fingerprint of settings', () => {
  it('differs with every variable that sets one, whatever its name', () => {
    for (const name of SETTING_NAMES.filter((one) => one !== 'warm')) {
      const { variable, plainVariable } = SETTINGS[name]
      for (const set of plainVariable === undefined ? [variable] : [variable, plainVariable]) {
        expect([set, fingerprint({ [set]: 'x' }) === fingerprint({})]).toEqual([set, false])
      }
    }
  })

  it('is the same whatever else is in the environment', () => {
    expect(fingerprint({ EDITOR: 'vi', MADELEINE_TENANT: '', MADELEINE_WARM: '0' })).toBe(fingerprint({}))
  })
})

describe('settings that are kept', () => {
  const settings = (store: string): HookSettings => ({
    ...{ store, tenant: 'local', team: [], timeZone: 'UTC', recall: {}, warm: true },
  })

  it('are none where the store is named with a password', () => {
    const folder = mkdtempSync(join(tmpdir(), 'hook-settings-'))
    try {
      for (const [name, store] of [
        ['a', 'postgres://ada:secret@db/memory'],
        ['b', 'postgres://ada@db/memory?password=secret'],
        ['c', 'postgres://ada@db/memory'],
      ] as const)
        keepSettings(folder, name, settings(store))
      expect(readFileSync(join(folder, 'hook-settings.json'), 'utf8')).not.toContain('secret')
      expect(['a', 'b', 'c'].map((name) => recallSettings(folder, name)?.store)).toEqual([
        ...[undefined, undefined, 'postgres://ada@db/memory'],
      ])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('are those of the last few origins, and none where the file is of another form', () => {
    const folder = mkdtempSync(join(tmpdir(), 'hook-settings-'))
    try {
      expect(recallSettings(folder, 'a')).toBeNull()
      const names = ['a', 'b', 'a', ...Array.from({ length: HOOK_KEPT_SETTINGS - 1 }, (_, at) => `more-${at}`)]
      for (const name of names) keepSettings(folder, name, settings(`/${name}.db`))
      expect(recallSettings(folder, 'a')).toEqual(settings('/a.db'))
      expect(recallSettings(folder, 'more-0')).toEqual(settings('/more-0.db'))
      expect(recallSettings(folder, 'b')).toBeNull()
      writeFileSync(join(folder, 'hook-settings.json'), '{"of":"a","settings":{"store":"/x"}}')
      expect(recallSettings(folder, 'a')).toBeNull()
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
