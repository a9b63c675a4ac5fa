/** Languages other than English in which dates are read. */
export type Language =
  | 'ar'
  | 'de'
  | 'es'
  | 'fr'
  | 'hi'
  | 'it'
  | 'ja'
  | 'ko'
  | 'nl'
  | 'pt'
  | 'ru'
  | 'sv'
  | 'tr'
  | 'uk'
  | 'zh'

/** Languages that their letters give away, the more particular ones first. */
const BY_SCRIPT: readonly (readonly [RegExp, Language])[] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'ja'],
  [/\p{Script=Hangul}/u, 'ko'],
  [/\p{Script=Han}/u, 'zh'],
  [/[іїєґ]/i, 'uk'],
  [/\p{Script=Cyrillic}/u, 'ru'],
  [/\p{Script=Arabic}/u, 'ar'],
  [/\p{Script=Devanagari}/u, 'hi'],
]

/** Small words that sentences of a language hold, and words for days and times that hardly any other language has. */
const SMALL_WORDS: Readonly<Record<string, ReadonlySet<string>>> = wordSets({
  en: 'the a an is was were did do does we i you he she it they what when which who how in on of and to with for from about my our your me this that at by be are has have had not or if there last next ago',
  de: 'der die das den dem des und oder wir ich ihr was wann wer wie wo haben hat habe ist war wurde im am um mit für über von vom zum zur auf bei nicht es er sie ein eine einen einem seit vor bis gestern vorgestern heute übermorgen letzte letzten letzter nächste nächsten woche wochen monat jahr tagen',
  es: 'el la los las qué que hicimos en de del y o por para con una un fue cuándo cómo lo se es son no yo mi desde hace hasta entre ayer anteayer hoy mañana semana semanas mes año días pasado pasada próximo',
  fr: 'le la les des du de nous je que quoi qui quand est sont avons avez ont dans pour avec pas sur et ou au aux une un fait depuis il elle en ce cette a y entre avant-hier aujourd’hui demain semaine semaines mois jours dernier dernière prochain prochaine',
  it: 'il lo la gli le di del della dei che cosa abbiamo quando per con una un è sono stato chi e non da dal al nel alla si mi fa tra ieri oggi domani settimana settimane mese anno giorni scorso scorsa prossimo',
  nl: 'de het een wij we ik wat wanneer hebben heb heeft is was van niet met op en voor bij naar er dit deze dat tot sinds geleden gisteren eergisteren vandaag morgen overmorgen vorige volgende maand jaar dagen',
  pt: 'o os as a que fizemos em no na nos nas do da dos para com uma um foi não quando e é são por até desde há entre ontem anteontem hoje amanhã semana semanas mês ano dias passado passada próximo',
  sv: 'och att det som en ett är var vi jag du på av för med inte när vad har hade till från om den igår idag går dag förra nästa veckan månaden sedan',
  tr: 've bir bu ne zaman için ile mi da de var yok ben biz ama çok daha sonra önce dün bugün yarın geçen gelecek hafta haftası ay yıl gün kadar arası saat’ta',
})

function wordSets(lists: Record<string, string>): Record<string, ReadonlySet<string>> {
  return Object.fromEntries(Object.entries(lists).map(([language, words]) => [language, new Set(words.split(' '))]))
}

/** How likely a text is in a language: small words of it that the text holds; 1,000 where the script tells. */
export interface LanguageScore {
  language: Language | 'en'
  score: number
}

const BY_SCRIPT_SCORE = 1000

/** All languages that a text may be in, the likeliest first; those without any sign last. */
export function rankLanguages(text: string): LanguageScore[] {
  const byScript = BY_SCRIPT.find(([pattern]) => pattern.test(text))?.[1]
  if (byScript !== undefined) return [{ language: byScript, score: BY_SCRIPT_SCORE }]
  const words =
    text
      .toLowerCase()
      .replaceAll("'", '’')
      .match(/[\p{L}’-]+/gu) ?? []
  return Object.entries(SMALL_WORDS)
    .map(([language, known]): LanguageScore => {
      return { language: language as Language, score: words.filter((word) => known.has(word)).length }
    })
    .sort((a, b) => b.score - a.score)
}
