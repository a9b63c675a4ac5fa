import { MadeleineError } from '../errors.ts'
import type { DocumentWrite } from './memory-store.ts'

export function closedError(location: string): MadeleineError {
  return new MadeleineError('STORE_UNUSABLE', `Cannot use store ${location}: it is closed`, {
    remedy: 'Open the store again',
  })
}

export function movedError(location: string): MadeleineError {
  return new MadeleineError(
    'STORE_UNUSABLE',
    `Cannot use store ${location}: its file was moved, replaced or deleted while it was open`,
    { remedy: 'Open the store again, or restart the program that has it open' },
  )
}

export const MEND_REMEDY =
  'Run "madeleine doctor --fix": it saves what cannot be rebuilt, sets the damaged file aside and makes a new store'

export function damagedError(location: string, cause?: unknown): MadeleineError {
  return new MadeleineError('STORE_DAMAGED', `Cannot use store ${location}: it is damaged`, {
    remedy: MEND_REMEDY,
    ...(cause !== undefined && { cause }),
  })
}

export function notAStoreError(location: string, cause?: unknown): MadeleineError {
  return new MadeleineError('STORE_UNUSABLE', `Cannot use ${location} as a store: it is not a store`, {
    remedy: 'Choose another file with --store, or move this one away',
    ...(cause !== undefined && { cause }),
  })
}

export function newerError(location: string): MadeleineError {
  return new MadeleineError('STORE_UNUSABLE', `Cannot use store ${location}: it was written by a newer version`, {
    remedy: 'Update madeleine, or choose another file with --store',
  })
}

export function idTakenError(id: string): MadeleineError {
  return new MadeleineError('ALREADY_EXISTS', `Cannot remember with id "${id}": the id is taken`, {
    remedy: 'Choose another id, or forget that memory first',
  })
}

export function otherPartError(path: string): MadeleineError {
  return new MadeleineError('STORE_BUSY', `Cannot add to document "${path}": another process changed it meanwhile`, {
    remedy: 'Let the other "madeleine index" finish, then run it again: it goes on where it stopped',
  })
}

export function ambiguousPathError(path: string, roots: readonly string[]): MadeleineError {
  return new MadeleineError(
    'INVALID_OPTION',
    `Cannot choose document "${path}": it stands under ${roots.join(' and ')}`,
    {
      remedy: 'Give its whole path on disk, or the id of a memory in it',
    },
  )
}

/** Refuses a document that no store can take: without a root, or with memories of another tenant. */
export function assertStorable({ head, memories }: DocumentWrite): void {
  if (head.root === '') {
    throw new MadeleineError('INVALID_OPTION', `Cannot store document "${head.path}": it has no root`, {
      remedy: 'Give the folder that it was found under; only remembered memories have none',
    })
  }
  const stranger = memories.find(({ content }) => content.scope.tenant !== head.scope.tenant)
  if (stranger) throw tenantMismatchError(head.path, stranger.content.scope.tenant, head.scope.tenant)
}

function tenantMismatchError(path: string, found: string, expected: string): MadeleineError {
  return new MadeleineError(
    'INVALID_OPTION',
    `Cannot store "${path}" of tenant "${expected}": a memory of it is of tenant "${found}"`,
    { remedy: 'Give a document and its memories one tenant' },
  )
}

export function otherVersionError(location: string): MadeleineError {
  return new MadeleineError(
    'STORE_UNUSABLE',
    `Cannot write to store ${location}: another version of the program took it over`,
    {
      remedy: 'Restart this program, after an update if there is one',
    },
  )
}

export function brokenExportError(location: string): MadeleineError {
  return new MadeleineError(
    'STORE_UNUSABLE',
    `Cannot export store ${location}: the connection was lost in the middle`,
    {
      remedy: 'Export it again',
    },
  )
}
