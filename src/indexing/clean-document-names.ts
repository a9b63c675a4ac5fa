import type { SourceDocument, Turn } from '../model/document.ts'
import { cleanId, cleanName } from '../normalize/index.ts'

/** The document with its names and ids as they are kept. Whoever wrote the file chose them, as much as its text. */
export function cleanDocumentNames(document: SourceDocument): SourceDocument {
  if (document.form === 'markdown') return { ...document, title: cleanName(document.title) }
  return { ...document, sessionId: cleanId(document.sessionId), turns: document.turns.map(cleanTurnNames) }
}

function cleanTurnNames({ id, speaker, tool, ...rest }: Turn): Turn {
  const person = speaker === undefined ? '' : cleanName(speaker)
  const program = tool === undefined ? '' : cleanName(tool)
  return { ...rest, id: cleanId(id), ...(person && { speaker: person }), ...(program && { tool: program }) }
}
