import { foldText, tokenize } from '../text/tokenize.ts'

/** Things people say to acknowledge, greet or part, in the languages that agents hear most; folded, without punctuation. */
const SMALL_TALK = new Set(
  (
    'ok|okay|okey|k|kk|yes|yeah|yep|yup|y|no|nope|n|sure|fine|good|great|nice|cool|perfect|awesome|excellent|thanks|thank you|thank you so much|thanks a lot|many thanks|thx|ty|cheers|' +
    'got it|i see|understood|makes sense|sounds good|looks good|lgtm|right|correct|exactly|agreed|done|go|go on|go ahead|continue|proceed|please continue|do it|yes please|no thanks|wait|stop|never mind|nevermind|' +
    'hi|hello|hey|hi there|hello there|good morning|good afternoon|good evening|good night|bye|goodbye|see you|see you later|welcome back|how are you|ping|test|lol|haha|hmm|hm|ah|oh|wow|' +
    'ja|nein|danke|danke schon|vielen dank|bitte|gut|genau|alles klar|hallo|guten morgen|guten tag|guten abend|tschuss|weiter|' +
    'oui|non|merci|merci beaucoup|d accord|daccord|bonjour|bonsoir|salut|parfait|si|gracias|muchas gracias|vale|hola|buenos dias|buenas tardes|adios|claro|sim|nao|obrigado|obrigada|ola|bom dia|grazie|ciao|va bene|perfetto|' +
    'да|нет|спасибо|хорошо|ладно|привет|пока|ок|tak|nie|dziekuje|dzieki|' +
    '好|好的|是|是的|对|不|不是|谢谢|谢谢你|多谢|嗯|你好|早上好|晚上好|再见|继续|可以|行|没问题|明白|明白了|知道了|' +
    'はい|いいえ|うん|ありがとう|ありがとうございます|了解|了解です|わかりました|こんにちは|おはよう|おはようございます|こんばんは|どうも|続けて|ok です|네|예|아니요|아니|감사합니다|고마워|고마워요|안녕|안녕하세요|알겠습니다|계속'
  ).split('|'),
)
const SLASH_COMMAND = /^\/[a-z][a-z0-9:_-]*(?:\s|$)/i
/** Longer prompts say themselves what they are about. */
const MAX_LEANING_CHARS = 200
const HAS_PLAIN_CHARACTER = /[a-z0-9]/i
/** Takes long to be made ready: tried where no plain letter or digit answers it. */
const HAS_LETTER_OR_DIGIT = /[\p{L}\p{N}]/u

/**
 * Why a prompt needs no memory, or null when it may. Takes the prompt without envelopes. A short question, a number, a path or
 * a sentence in any script is a real prompt.
 */
export function reasonToSkip(prompt: string): string | null {
  const text = prompt.trim()
  if (text === '') return 'empty'
  if (SLASH_COMMAND.test(text)) return 'slash command'
  if (!HAS_PLAIN_CHARACTER.test(text) && !HAS_LETTER_OR_DIGIT.test(text)) return 'emoji or punctuation only'
  if (isSmallTalk(text)) return 'acknowledgement or greeting'
  return null
}

/** Whether a prompt needs no memory at all. */
export function isTrivialPrompt(prompt: string): boolean {
  return reasonToSkip(prompt) !== null
}

function isSmallTalk(text: string): boolean {
  if (text.length > 80 || /[?？]/.test(text)) return false
  const parts = foldText(text)
    .split(/[,.!;:、。！，~\n…-]+/u)
    .map((part) =>
      part
        .replace(/[^\p{L}\p{N}\p{M}\s]/gu, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter((part) => part !== '')
  return parts.length > 0 && parts.every((part) => SMALL_TALK.has(part))
}

/** Whether a prompt can be understood without what was said before it. */
export function leansOnContext(prompt: string): boolean {
  if (prompt.length > MAX_LEANING_CHARS) return false
  const tokens = tokenize(prompt)
  const words = tokens.filter(({ kind }) => kind === 'word')
  return (
    words.length <= 2 ||
    (words.length <= 5 &&
      /\b(it|its|that|this|these|those|they|them|he|she|his|her|there|one|same|again)\b/i.test(prompt))
  )
}
