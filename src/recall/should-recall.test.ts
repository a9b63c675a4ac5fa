import { describe, expect, it } from 'vitest'
import { isTrivialPrompt, leansOnContext, reasonToSkip } from './should-recall.ts'

describe('reasonToSkip', () => {
  it.each([
    'ok',
    'OK!',
    'thanks!',
    'Thank you so much.',
    'yes, go ahead',
    '👍👍',
    '…',
    '好的',
    'はい',
    'Ja, danke!',
    '네',
    '/status',
    '/new please',
    '   ',
    '',
    'hi there',
  ])('skips %j', (prompt) => expect(isTrivialPrompt(prompt)).toBe(true))

  it.each([
    '船漏水吗',
    '端口9443',
    '9443?',
    '/opt/kiln/run.sh?',
    'why?',
    '#52',
    'ok?',
    'no, the other pump',
    'translate "good evening" into Finnish',
    'thanks, and what about the boiler',
    'done with the gate?',
  ])('recalls for %j', (prompt) => expect(isTrivialPrompt(prompt)).toBe(false))

  it('says why', () => {
    expect(reasonToSkip('thanks')).toBe('acknowledgement or greeting')
    expect(reasonToSkip('/reset')).toBe('slash command')
    expect(reasonToSkip('🎉')).toBe('emoji or punctuation only')
    expect(reasonToSkip(' ')).toBe('empty')
  })
})

describe('leansOnContext', () => {
  it('tells a prompt that stands alone from one that does not', () => {
    expect(leansOnContext('why did we choose it?')).toBe(true)
    expect(leansOnContext('which paint did we choose for the garden shed?')).toBe(false)
  })
})
