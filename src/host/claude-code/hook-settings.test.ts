import { describe, expect, it } from 'vitest'
import { SETTING_NAMES, SETTINGS } from '../../cli/settings.ts'
import { fingerprintSettings } from './hook-settings.ts'

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
