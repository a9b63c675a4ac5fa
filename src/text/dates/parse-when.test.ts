import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseWhen } from './parse-when.ts'
import { localDay } from './zone.ts'

/** Wednesday 4 March 2026, 03:30 in Zurich. */
const now = new Date('2026-03-04T02:30:00Z')

function daysOf(query: string, timeZone = 'Europe/Zurich'): string | null {
  const when = parseWhen(query, { now, timeZone })
  if (when === null) return null
  const [first, last] = [when.days[0], when.days.at(-1)]
  return first === last ? `${first}` : `${first}..${last}`
}

describe('parseWhen', () => {
  it.each([
    ['what did we do today', '2026-03-04'],
    ['crate count yesterday', '2026-03-03'],
    ['the day before yesterday', '2026-03-02'],
    ['Feb 8', '2026-02-08'],
    ['what did we do on 8 May 2025', '2025-05-08'],
    ['notes from 2025-05-08', '2025-05-08'],
    ['what happened on May 23', '2025-05-23'],
    ['what happened on 23 May?', '2025-05-23'],
    ['last Monday', '2026-03-02'],
    ['what did we decide on Monday?', '2026-03-02'],
    ['on Wednesday', '2026-02-25'],
    ['two days ago', '2026-03-02'],
    ['3 weeks ago', '2026-02-11'],
    ['a month ago', '2026-02-04'],
    ['two days after Feb 3', '2026-02-05'],
    ['Friday, 6 Feb 2026', '2026-02-06'],
    ['the 15th of last month', '2026-02-15'],
    ['Friday the 13th', '2026-03-13'],
    ['Monday of last week', '2026-02-23'],
    ['the Friday before Feb 10', '2026-02-06'],
    ['the second Tuesday of January', '2026-01-13'],
    ['what did we cook at Christmas', '2025-12-25'],
    ['last Easter', '2025-04-20'],
    ['5/3/2025', '2025-03-05'],
    ['which charity did I join in a month ago', '2026-02-04'],
    ['4 hours ago', '2026-03-03'],
    ['at 2026-02-08T23:30:00Z', '2026-02-09'],
  ])('finds the day of "%s"', (query, day) => {
    expect(daysOf(query)).toBe(day)
  })

  it.each([
    ['last week', '2026-02-23..2026-03-01'],
    ['this month', '2026-03-01..2026-03-31'],
    ['last year', '2025-01-01..2025-12-31'],
    ['last weekend', '2026-02-28..2026-03-01'],
    ['what did we plan in March', '2026-03-01..2026-03-31'],
    ['in May', '2025-05-01..2025-05-31'],
    ['March 2025', '2025-03-01..2025-03-31'],
    ['Q3 2025', '2025-07-01..2025-09-30'],
    ['last summer', '2025-06-01..2025-08-31'],
    ['between Feb 3 and Feb 10', '2026-02-03..2026-02-10'],
    ['from August to October', '2025-08-01..2025-10-31'],
    ['since Monday', '2026-03-02..2026-03-04'],
    ['the week of Feb 9', '2026-02-09..2026-02-15'],
    ['the past 3 days', '2026-03-01..2026-03-04'],
    ['in early January', '2026-01-01..2026-01-10'],
    ['the week before Feb 10', '2026-02-03..2026-02-09'],
    ['Nov 19-20', '2025-11-19..2025-11-20'],
    ['between the 3rd and the 5th of February', '2026-02-03..2026-02-05'],
    ['from Nov 18 to Dec 19, 2024', '2024-11-18..2024-12-19'],
    ['Monday to Friday', '2026-02-23..2026-02-27'],
    ['the first week of January', '2025-12-29..2026-01-04'],
    ['the last three months of 2025', '2025-10-01..2025-12-31'],
    ['week 7 of 2026', '2026-02-09..2026-02-15'],
    ['over the weekend', '2026-02-28..2026-03-01'],
    ['the week before last', '2026-02-16..2026-02-22'],
    ['last quarter', '2025-10-01..2025-12-31'],
    ['2025-02', '2025-02-01..2025-02-28'],
  ])('finds the range of "%s"', (query, range) => {
    expect(daysOf(query)).toBe(range)
  })

  it.each([
    ['tomorrow', '2026-03-05'],
    ['next week', '2026-03-09..2026-03-15'],
    ['in 3 days', '2026-03-07'],
    ['what is due on Friday', '2026-03-06'],
    ['what will we ship in May', '2026-05-01..2026-05-31'],
  ])('looks ahead where the words do: "%s"', (query, days) => {
    expect(daysOf(query)).toBe(days)
  })

  it.each([
    'you may open the march hare file',
    'the cat sat on node 18.2.1',
    'second attempt at 10-4',
    'we may repaint',
    'ship 4.2.7 build',
    'model gpt-4',
    'port 9443',
    'room 12.5',
    'what happened 10:37',
    'the second may fail',
    'this may help',
    "April's recipe",
    'how many of the 24/7 pumps',
    '5/7 tests pass',
    'stored in 2000 rows',
    'the sun and the moon',
    'ticket REQ-0417',
    'the 4th attempt',
    'the last day of the trip',
    'an easter egg in the menu',
    'the second half of the pipe',
    'was ist hier passiert',
    'el mar es azul',
    'la version 18.2.1',
    '备份脚本失败了吗',
    'das Skript läuft 3 mal pro Tag',
    'Version 12.5 für das Modul',
    'am Dienst 20.11.1 liegt es nicht',
    'der erste Monat war schwer',
    'die Datei ist vor 3 Tests umbenannt worden',
    'am Ende der Funktion fehlt eine Klammer',
    'il y a 3 fichiers dans le dossier',
    'mars est une planète',
    'hace 3 cosas a la vez',
    'a segunda versão do módulo falhou',
    'over 5 pagina’s verdeeld',
    '一周有几天',
    '月の裏側には何がある',
    '部屋にクリスマスツリーがある',
    '이 주제에 대해 설명해 주세요',
    'среда разработки не запускается',
    '',
  ])('finds no date in "%s"', (query) => {
    expect(daysOf(query)).toBeNull()
  })

  it('counts days as clocks in the zone do', () => {
    expect(daysOf('yesterday', 'America/Los_Angeles')).toBe('2026-03-02')
    expect(daysOf('yesterday', 'UTC')).toBe('2026-03-03')
    expect(daysOf('yesterday', 'Pacific/Auckland')).toBe('2026-03-03')
    const summer = parseWhen('29 March 2026', { now, timeZone: 'Europe/Zurich' })
    expect([summer?.from.toISOString(), summer?.to.toISOString()]).toEqual([
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T22:00:00.000Z',
    ])
  })

  it.each([
    ['was haben wir gestern gemacht', '2026-03-03'],
    ['letzte Woche', '2026-02-23..2026-03-01'],
    ['vor drei Tagen war das', '2026-03-01'],
    ['was war am 12. Februar', '2026-02-12'],
    ['was war im März 2025', '2025-03-01..2025-03-31'],
    ['was machen wir nächsten Freitag', '2026-03-13'],
    ["qu'avons-nous fait hier", '2026-03-03'],
    ['la semaine dernière', '2026-02-23..2026-03-01'],
    ['le 5 mai 2025', '2025-05-05'],
    ['¿qué hicimos el lunes?', '2026-03-02'],
    ['o que fizemos ontem', '2026-03-03'],
    ['cosa abbiamo fatto due settimane fa', '2026-02-18'],
    ['wat deden we vorige maand', '2026-02-01..2026-02-28'],
    ['昨日何をした', '2026-03-03'],
    ['3月1日に何があった', '2026-03-01'],
    ['上周我们做了什么', '2026-02-23..2026-03-01'],
    ['어제 뭐 했지', '2026-03-03'],
    ['что мы делали вчера', '2026-03-03'],
    ['dün ne yaptık', '2026-03-03'],
    ['ماذا فعلنا أمس', '2026-03-03'],
    ['हमने कल क्या किया', '2026-03-03'],
    ['मैं कल वापस जाऊंगा', '2026-03-05'],
    ['was war in den letzten zwei Wochen', '2026-02-18..2026-03-04'],
    ['zwischen dem 3. und 5. Februar', '2026-02-03..2026-02-05'],
    ['vom 3. bis 5. Mai 2025', '2025-05-03..2025-05-05'],
    ['was hatten wir am 28.2. beschlossen', '2026-02-28'],
    ['das Treffen in der übernächsten Woche', '2026-03-16..2026-03-22'],
    ['seit Montag', '2026-03-02..2026-03-04'],
    ['à Pâques 2025', '2025-04-20'],
    ['dans les années 1990', '1990-01-01..1990-12-31'],
    ['la primera semana de 2025', '2024-12-30..2025-01-05'],
    ['el tercer trimestre de 2025', '2025-07-01..2025-09-30'],
    ['de mayo a septiembre de 2025', '2025-05-01..2025-09-30'],
    ['la última semana de julio', '2025-07-28..2025-08-03'],
    ['het eerste weekend van februari', '2026-02-07..2026-02-08'],
    ['2025年后半年', '2025-07-01..2025-12-31'],
    ['二〇二五年十二月三日', '2025-12-03'],
    ['从一月十日到二十日', '2026-01-10..2026-01-20'],
    ['上周五', '2026-02-27'],
    ['２０２５年１月１日から３月まで', '2025-01-01..2025-03-31'],
    ['来月の第一月曜日', '2026-04-06'],
    ['지난 3주 동안', '2026-02-11..2026-03-04'],
    ['2025년 5월부터 7월까지', '2025-05-01..2025-07-31'],
    ['3 hafta önce', '2026-02-11'],
    ["Ağustos 2025'ten beri", '2025-08-01..2026-03-04'],
    ['٥ مارس ٢٠٢٥', '2025-03-05'],
    ['на прошлой неделе', '2026-02-23..2026-03-01'],
  ])('reads other languages by their word lists: "%s"', (query, days) => {
    expect(daysOf(query)).toBe(days)
  })

  it('leaves the beginning of "before …" and long ranges without a list of days', () => {
    const when = parseWhen('before 2026-02-01', { now, timeZone: 'UTC' })
    expect(when).toMatchObject({ days: [], granularity: 'range', to: new Date('2026-02-01T00:00:00Z') })
    expect(when?.from.getTime()).toBe(0)
    expect(parseWhen('since 2019', { now, timeZone: 'UTC' })?.to).toEqual(new Date('2026-03-05T00:00:00Z'))
  })

  it('reads 5/3 by the habit of the zone, and seasons by its hemisphere', () => {
    expect(daysOf('5/3/2025', 'America/New_York')).toBe('2025-05-03')
    expect(daysOf('last summer', 'Australia/Sydney')).toBe('2025-12-01..2026-02-28')
  })

  it('gives whole local days in order, whatever is asked', () => {
    const words = fc.constantFrom(
      ...'last next the in on of 3 two week weeks month year Monday March may 8 2025 ago before after since between and from to Q3 early 5/3 gestern 昨日 , - :'.split(
        ' ',
      ),
    )
    const query = fc.oneof(
      fc.array(words, { maxLength: 12 }).map((parts) => parts.join(' ')),
      fc.string({ unit: 'binary' }),
    )
    fc.assert(
      fc.property(query, (text) => {
        const when = parseWhen(text, { now, timeZone: 'America/St_Johns' })
        if (when === null) return
        expect(when.from.getTime()).toBeLessThan(when.to.getTime())
        expect(text).toContain(when.text)
        expect(when.text).not.toBe('')
        if (when.days.length > 0) expect(localDay(when.from, 'America/St_Johns')).toBe(when.days[0])
      }),
      { numRuns: 300 },
    )
  })

  it('finishes on a prompt of 200,000 characters without a date', () => {
    expect(daysOf('the pump in the yard runs on 24 volts and we may repaint it. '.repeat(3500))).toBeNull()
  })

  it('tells which words it read', () => {
    expect(parseWhen('what broke between Feb 3 and Feb 10?', { now, timeZone: 'UTC' })?.text).toBe(
      'between Feb 3 and Feb 10',
    )
  })
})
