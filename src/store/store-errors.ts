import { MadeleineError } from '../errors.ts'

export function closedError(location: string): MadeleineError {
  return new MadeleineError('STORE_UNUSABLE', `Cannot use store ${location}: it is closed`, {
    remedy: 'Open the store again',
  })
}

export function idTakenError(id: string): MadeleineError {
  return new MadeleineError('ALREADY_EXISTS', `Cannot remember with id "${id}": the id is taken`, {
    remedy: 'Choose another id, or forget that memory first',
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

export function tenantMismatchError(path: string, found: string, expected: string): MadeleineError {
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
