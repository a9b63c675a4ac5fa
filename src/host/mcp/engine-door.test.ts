import { describe, expect, it } from 'vitest'
import { type Madeleine, MadeleineError } from '../../index.ts'
import { createEngineDoor } from './engine-door.ts'

const unusable = (): MadeleineError => new MadeleineError('STORE_UNUSABLE', 'It was moved', { remedy: 'Open it again' })

/** Engines in the order in which they are opened; each knows whether it is closed. `failures` are opened first. */
function makeEngines(failures: Error[] = []) {
  const opened: Array<{ number: number; isClosed: boolean }> = []
  const open = async (): Promise<Madeleine> => {
    const failure = failures.shift()
    if (failure) throw failure
    const one = { number: opened.length + 1, isClosed: false }
    opened.push(one)
    const close = async (): Promise<void> => {
      one.isClosed = true
    }
    // Only what a door touches.
    return { ...one, close } as unknown as Madeleine
  }
  return { opened, open }
}

const numberOf = (engine: Madeleine): Promise<number> =>
  Promise.resolve((engine as unknown as { number: number }).number)

describe('createEngineDoor', () => {
  it('opens nothing before it is needed, and one engine for all', async () => {
    const { opened, open } = makeEngines()
    const door = createEngineDoor(open)
    await door.close()
    expect(opened).toEqual([])
    expect(await Promise.all([door.use(numberOf), door.use(numberOf), door.use(numberOf)])).toEqual([1, 1, 1])
    await door.close()
    expect(opened).toEqual([{ number: 1, isClosed: true }])
  })

  it('tries again to open what could not be opened', async () => {
    const busy = new MadeleineError('STORE_BUSY', 'Somebody writes', { remedy: 'Wait' })
    const { opened, open } = makeEngines([busy, unusable()])
    const door = createEngineDoor(open)
    await expect(door.use(numberOf)).rejects.toBe(busy)
    await expect(door.use(numberOf)).rejects.toMatchObject({ code: 'STORE_UNUSABLE' })
    expect(await door.use(numberOf)).toBe(1)
    expect(opened).toHaveLength(1)
  })

  it('opens anew what has become useless since it was opened, and does the work there', async () => {
    const { opened, open } = makeEngines()
    const door = createEngineDoor(open)
    await door.use(numberOf)
    const work = async (engine: Madeleine): Promise<number> => {
      if ((await numberOf(engine)) === 1) throw unusable()
      return numberOf(engine)
    }
    expect(await Promise.all([door.use(work), door.use(work)])).toEqual([2, 2])
    expect(opened).toEqual([
      { number: 1, isClosed: true },
      { number: 2, isClosed: false },
    ])
  })

  it('does not go on opening a store that stays useless, nor for other failures', async () => {
    const { opened, open } = makeEngines()
    const door = createEngineDoor(open)
    const fail = (error: Error) => (): Promise<never> => Promise.reject(error)
    await expect(door.use(fail(unusable()))).rejects.toMatchObject({ code: 'STORE_UNUSABLE' })
    expect(opened).toHaveLength(1)
    await door.use(numberOf)
    await expect(door.use(fail(unusable()))).rejects.toMatchObject({ code: 'STORE_UNUSABLE' })
    expect(opened).toHaveLength(3)
    await door.use(numberOf)
    await expect(door.use(fail(new Error('odd')))).rejects.toThrow('odd')
    expect(opened).toHaveLength(4)
    expect(opened.map(({ isClosed }) => isClosed)).toEqual([true, true, true, false])
  })

  it('closes an engine only when the last work in it is done', async () => {
    const { opened, open } = makeEngines()
    const door = createEngineDoor(open)
    let finish = (): void => undefined
    const using = door.use(
      () =>
        new Promise<void>((resolve) => {
          finish = resolve
        }),
    )
    await door.use(numberOf)
    await door.close()
    expect(opened[0]?.isClosed).toBe(false)
    finish()
    await using
    expect(opened[0]?.isClosed).toBe(true)
  })
})
