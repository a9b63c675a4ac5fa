import { cutGraphemes } from '../model/cut-graphemes.ts'

const SENDER_BLOCK = /^Sender(?: \(untrusted metadata\))?:[^\n]{0,40}\n\s{0,4}```(?:json)?\n([\s\S]{0,4000}?)\n```/m
const CONVERSATION_BLOCK =
  /^Conversation info(?: \(untrusted metadata\))?:[^\n]{0,40}\n\s{0,4}```(?:json)?\n([\s\S]{0,4000}?)\n```/m
const CHANNEL_NAME =
  /^\[(?:Telegram|WhatsApp|Discord|Slack|Signal|iMessage) ([^\]\n]{1,60}?) (?:\(@[^)\n]{1,60}\) )?id:/m
const MAX_NAME_CHARS = 60
/** How far into a message its envelope reaches, characters. */
const ENVELOPE_REACH = 20_000

/** The name of the person who wrote a message, from the envelope that the host put around it; undefined where it gives none. */
export function readSender(raw: string): string | undefined {
  const head = raw.slice(0, ENVELOPE_REACH)
  if (!/^(?:Sender|Conversation info|\[)/m.test(head)) return undefined
  const sender = fieldsOf(SENDER_BLOCK.exec(head)?.[1])
  const conversation = fieldsOf(CONVERSATION_BLOCK.exec(head)?.[1])
  const name =
    sender.name ?? sender.label ?? sender.username ?? conversation.sender_name ?? CHANNEL_NAME.exec(head)?.[1]
  return typeof name === 'string' && /\p{L}/u.test(name) ? cutGraphemes(name.trim(), MAX_NAME_CHARS) : undefined
}

function fieldsOf(json: string | undefined): Record<string, unknown> {
  if (json === undefined) return {}
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    // The envelope is cut or foreign: then nobody is named.
    return {}
  }
}

/** Whether a message carries text from outside (web pages, mails) that its writer did not say. */
export function hasExternalContent(raw: string): boolean {
  return raw.includes('<<<EXTERNAL_UNTRUSTED_CONTENT')
}
