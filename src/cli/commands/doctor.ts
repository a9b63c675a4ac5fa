import { type Finding, MadeleineError, mendStore, type StoreMend } from '../../index.ts'
import { EXIT } from '../exit-codes.ts'
import { type AddCommand, type Invocation, openOptions, withEngine } from '../invocation.ts'
import { describeWarm, findFailedHook, findSilentHooks, lookAtWarm } from '../look-at-warm.ts'
import type { Colors } from '../output.ts'
import { cleanLine } from '../terminal-text.ts'
import { formatCount } from '../words.ts'

interface DoctorFlags {
  fix?: boolean
}

interface Report {
  findings: Finding[]
  /** The store could not be opened. */
  isUnusable: boolean
}

const HELP_END = `
A damaged store is never replaced without --fix. With it, what cannot be rebuilt is saved to a file beside the store, the
damaged file is set aside under a name with the time, and a new store is made. Nothing is deleted.

Examples:
  $ madeleine doctor
  $ madeleine doctor --fix
  $ madeleine doctor --json || echo "something needs attention"`

/** `madeleine doctor`: what is wrong and the remedy. Exit 3 when an error is left, 5 when the store cannot be used. */
export const addDoctorCommand: AddCommand = (program, run) => {
  program
    .command('doctor')
    .description('what is wrong, and what to do about it')
    .option('--fix', 'do it, where it needs no file of yours, no model and no decision')
    .addHelpText('after', HELP_END)
    .action((flags: DoctorFlags) => run((invocation) => runDoctor(invocation, flags)))
}

async function runDoctor(invocation: Invocation, { fix = false }: DoctorFlags): Promise<number> {
  const { output } = invocation
  const { findings: found, isUnusable } = await examine(invocation, fix)
  const { findWireTroubles } = await import('../wire-flags.ts')
  const ofHooks = [...findFailedHook(invocation, invocation.now()), ...findSilentHooks(invocation)]
  const findings = [...found, ...ofHooks, ...findWireTroubles(invocation)]
  output.document({ findings })
  if (findings.length === 0) output.print('Nothing is wrong.')
  output.note(`(warm process: ${describeWarm(await lookAtWarm(invocation))})`)
  for (const line of findings.flatMap((finding) => describeFinding(finding, output.colors))) output.print(line)
  if (isUnusable) return EXIT.storeUnusable
  return findings.some(({ severity, fixed }) => severity === 'error' && fixed === undefined) ? EXIT.partly : EXIT.done
}

async function examine(invocation: Invocation, fix: boolean): Promise<Report> {
  const first = await ask(invocation, fix)
  const damage = first.findings.find(({ id }) => id === 'store-damaged')
  if (!fix || !damage) return first
  // The engine is closed again: nobody has the file open while it is replaced.
  const { store, now } = openOptions(invocation)
  const mended = await mendStore({ ...(store !== undefined && { store }), ...(now && { now }) })
  const after = await ask(invocation, fix)
  return { ...after, findings: [{ ...damage, fixed: describeMend(mended) }, ...after.findings] }
}

/** The findings; a store that cannot be opened is one. Another process in the way is not: that passes. */
async function ask(invocation: Invocation, fix: boolean): Promise<Report> {
  try {
    const { findings } = await withEngine(invocation, (engine) => engine.doctor({ fix }))
    return { findings, isUnusable: false }
  } catch (error) {
    const isStoreError = error instanceof MadeleineError && /^STORE_(?:DAMAGED|UNUSABLE)$/.test(error.code)
    if (!isStoreError) throw error
    const id = error.code === 'STORE_DAMAGED' ? 'store-damaged' : 'store-unusable'
    const { message, remedy } = error
    return { findings: [{ id, severity: 'error', message, remedy }], isUnusable: true }
  }
}

function describeMend({ setAside, kept, unread, ...counts }: StoreMend): string {
  const parts = [
    `${formatCount(counts.memories, 'remembered memory')}, ${counts.forgotten} marks of what was forgotten, ` +
      `${counts.accesses} of what was read, ${formatCount(counts.relationships, 'explicit relationship')}, ` +
      `${formatCount(counts.reviews, 'review')} and ${counts.states} of state were saved to ${kept} and are in a new store`,
    `the damaged file is ${setAside}`,
  ]
  if (counts.memoriesOfUnknownOrigin > 0) {
    parts.push(
      `${counts.memoriesOfUnknownOrigin} memories that may have been indexed or remembered are in ${kept} only`,
    )
  }
  if (unread.length > 0) parts.push(`not to be read any more: ${unread.join(', ')}`)
  return `${parts.join('; ')}. Run "madeleine index" to bring the documents back`
}

function describeFinding({ severity, message, remedy, fixed }: Finding, colors: Colors): string[] {
  const paint = { error: colors.red, warning: colors.yellow, info: colors.cyan }[severity]
  const indent = ' '.repeat(9)
  const outcome = fixed === undefined ? cleanLine(remedy) : `${colors.green('fixed')}: ${cleanLine(fixed)}`
  return [`${paint(severity.padEnd('warning'.length))}  ${cleanLine(message)}`, `${indent}${outcome}`]
}
