import { describe, expect, it } from 'vitest'
import { analyzeQuery } from './analyze-query.ts'

const termsOf = (query: string): string[] =>
  analyzeQuery(query, { now: new Date('2026-07-20T09:00:00Z'), timeZone: 'UTC' })
    .words.filter(({ optional }) => !optional)
    .map(({ term }) => term)

describe('a query is searched without the words that say nothing of what it is about', () => {
  it.each([
    ['please restart the pump', ['restart', 'pump']],
    ['Hi, thanks! Where is the kestrel key?', ['kestrel', 'kei']],
    ['Wann haben wir die Kaution für das Büro bekommen?', ['kaution', 'buro', 'bekommen']],
    ['schreib ihr freundlich, wann wir mit dem Schlüssel rechnen', ['schreib', 'schlussel', 'rechnen']],
    ['pourquoi est-ce que nous avons quitté Norrhost ?', ['quitt', 'norrhost']],
    ['¿dónde están los contratos de la oficina?', ['contrato', 'oficina']],
    ['где у нас запасной ключ от склада?', ['запаснои', 'ключ', 'склада']],
  ])('%s', (query, terms) => {
    expect(termsOf(query)).toEqual(terms)
  })

  it('in its own language alone: what is a small word elsewhere may be a name', () => {
    expect(termsOf('what did Las Palmas order?')).toEqual(['la', 'palma', 'order'])
    expect(termsOf('which die did the press break?')).toContain('die')
  })

  it('unless it says nothing else', () => {
    expect(termsOf('please')).toEqual(['pleas'])
    expect(termsOf('wann und wo?')).toEqual(['wann', 'und', 'wo'])
  })
})
