import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

export interface DateFreeText {
  language: string
  text: string
}

/** Texts a language and source: 500 in all where the data folder is complete. */
const SHARE = 40
const ENGLISH_SHARE = 174
/** Of the sentences of dates without their dates: they are alike. */
const REST_SHARE = 20
const MAX_CHARS = 400

/**
 * Words and signs that may say a time. "May", "march", "sat", "sun", "second", "fall" and "spring" are not among them: to
 * take them for dates is the mistake that is looked for.
 */
const TIME_WORD = new RegExp(
  [
    // Digits and words for days and periods, in Latin script at the beginning of a word.
    '\\p{Nd}',
    '(?<!\\p{L})(?:today|yester|tomorrow|tonight|day|daily|night|morning|evening|afternoon|noon|week|month|year|annual|decade|centur|quarter|hour|minute|time|ago|now|recent|current|season|summer|winter|autumn|christmas|easter|halloween|thanksgiving|holiday|birthday|nineteen|januar|febr|april|june|july|august|septem|octo|novem|decem|monday|tuesday|wednesday|thursday|friday|saturday|sunday)',
    '(?<!\\p{L})(?:tag|woche|monat|jahr|heute|gestern|morgen|abend|stunde|minute|dag|maand|jaar|uur|vandaag|avond|día|dia|semana|mes|mês|año|ano|hoy|ayer|mañana|noche|hora|hoje|ontem|amanhã|noite|jour|semaine|mois|an|ans|année|soir|matin|heure|oggi|ieri|domani|sera|settimana|ora|giorn|anno|gün|akşam|sabah|gece|hafta|ay|yıl|bugün|dün|yarın|saat|dakika)',
    // Names of days and months in the other languages, by their beginnings.
    '(?<!\\p{L})(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|maand|dinsd|woensd|donderd|vrijd|zaterd|zond|lunes|lunedì|lundi|martes|mardi|martedì|miérc|mercr|mercol|jueves|jeudi|gioved|viernes|vendredi|venerd|sábado|samedi|sabato|domingo|dimanche|domenica|segunda|terça|quarta|quinta|sexta|pazar|salı|çarş|perş|cuma|pasen|ostern|pascua|navidad|weihnacht|kerst|noël)',
    '(?<!\\p{L})(?:jan|fév|feb|mär|mars|maart|marzo|março|mart|avr|abr|apr|mai|mei|mayo|maio|maggio|jui|jun|jul|giu|lug|lul|ago|aoû|aug|sep|set|okt|oct|ott|out|nov|dez|déc|dic|oca|şub|nis|haz|tem|ağu|eyl|eki|kas|ara)\\p{L}*',
    // East Asian, Hindi, Arabic.
    '[年月日週周天晚早夜朝昨今明時时季春夏秋冬]|世紀|世纪|最近|現在|现在|分钟|小时',
    '오늘|어제|내일|년|월|일|주|달|밤|아침|저녁|시간|분|지금|최근|때|해',
    'दिन|साल|वर्ष|महीन|सप्ताह|हफ्त|आज|कल|रात|सुबह|शाम|समय|सदी|दशक|घंट|मिनट|अब|बार|सोमवार|रविवार',
    'يوم|شهر|سنة|عام|أسبوع|ساعة|دقيقة|غد|أمس|ليل|مساء|صباح|الآن',
  ].join('|'),
  'iu',
)

function linesOf(folder: string, path: string): Record<string, unknown>[] {
  const file = join(folder, path)
  if (!existsSync(file)) return []
  return gunzipSync(readFileSync(file))
    .toString('utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

/** Sentence pairs, questions, and what is left of the rows of dates without their dates. */
function candidates(folder: string): DateFreeText[] {
  const relations = linesOf(folder, 'relations-tune.jsonl.gz').flatMap(({ lang, a, b }) =>
    [a, b].map((text) => ({ language: String(lang), text: String(text) })),
  )
  const questions = ['en', 'hi', 'zh'].flatMap((language) =>
    linesOf(folder, `ir/xquad_${language}/queries.jsonl.gz`).map(({ text }) => ({ language, text: String(text) })),
  )
  const rests = linesOf(folder, 'dates-tune.jsonl.gz')
    .filter(({ lang }) => lang !== 'English')
    .map(({ lang, text, span }) => ({ language: `${lang} (rest)`, text: String(text).replace(String(span), ' ') }))
  return [...relations, ...questions, ...rests]
}

/** Texts of several languages without a digit and without a word of time, evenly over each language's, each text once. */
export function readDateFreeTexts(folder: string): DateFreeText[] {
  const byLanguage = new Map<string, Set<string>>()
  for (const { language, text } of candidates(folder)) {
    if (text.length > MAX_CHARS || text.trim().length < 10 || TIME_WORD.test(text)) continue
    byLanguage.set(language, (byLanguage.get(language) ?? new Set()).add(text))
  }
  return [...byLanguage].flatMap(([language, texts]) => {
    const share = language === 'en' ? ENGLISH_SHARE : language.endsWith('(rest)') ? REST_SHARE : SHARE
    const step = Math.max(1, texts.size / share)
    const all = [...texts]
    return Array.from({ length: Math.min(share, all.length) }, (_, i) => ({
      language,
      text: all[Math.floor(i * step)] ?? '',
    }))
  })
}
