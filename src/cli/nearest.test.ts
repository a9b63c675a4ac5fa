import { describe, expect, it } from 'vitest'
import { nearestName } from './nearest.ts'

describe('nearestName', () => {
  const names = ['workspaces', 'transcripts', 'store', 'team', 'tenant']

  it('finds the name behind a slip', () => {
    expect(nearestName('workspace', names)).toBe('workspaces')
    expect(nearestName('transcirpts', names)).toBe('transcripts')
    expect(nearestName('Tennant', names)).toBe('tenant')
    expect(nearestName('stroe', names)).toBe('store')
  })

  it('suggests nothing for another word', () => {
    expect(nearestName('weights', names)).toBeUndefined()
    expect(nearestName('x', names)).toBeUndefined()
    expect(nearestName('', names)).toBeUndefined()
  })
})
