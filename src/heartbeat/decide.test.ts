import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { HeartbeatSettings, Signal, SignalKind, Urgency } from '../model/heartbeat.ts'
import { type DecisionInput, evaluateShouldAct, type HeartbeatDecision } from './decide.ts'
import { AUTONOMY_LEVELS } from './decision-options.ts'
import { createState, type HeartbeatState } from './heartbeat-state.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** A Wednesday; 11:00 in Zurich. */
const MORNING = Date.parse('2026-03-04T10:00:00Z')

function signal(signature: string, urgency: Urgency = 'elevated', more: Partial<Signal> = {}): Signal {
  const kind: SignalKind = more.kind ?? 'conflict'
  return { kind, urgency, signature, summary: `about ${signature}`, memoryIds: [signature], weight: 5, ...more }
}

function decide(signals: readonly Signal[], more: Partial<DecisionInput> & { at?: number } = {}): HeartbeatDecision {
  const { at = MORNING, ...input } = more
  return evaluateShouldAct({ now: new Date(at), timeZone: 'Europe/Zurich', signals, ...input })
}

const fates = ({ signals }: HeartbeatDecision): Record<string, string> =>
  Object.fromEntries(signals.map(({ signature, suppressedBy }) => [signature, suppressedBy ?? 'acts']))

/** One tick after another, each with the state that the one before left. */
function live(settings: HeartbeatSettings = {}, timeZone = 'Europe/Zurich') {
  let state: HeartbeatState | undefined
  return {
    tick(at: number, signals: readonly Signal[], more: Partial<DecisionInput> = {}): HeartbeatDecision {
      const decision = decide(signals, { at, settings, timeZone, ...(state && { state }), ...more })
      state = decision.state
      return decision
    },
  }
}

/** A state with so many acts, an hour apart, the last of them two hours before the morning. */
function stateAfter(answers: readonly boolean[], reason: 'act' | 'nudge' = 'act'): HeartbeatState {
  const acts = answers.map((answered, index) => ({
    ...{ at: MORNING - (answers.length - index + 1) * HOUR_MS, reason, answered },
  }))
  return { ...createState(new Date(MORNING - 48 * HOUR_MS)), acts }
}

describe('evaluateShouldAct', () => {
  it('is silent where there is nothing to say', () => {
    expect(decide([])).toMatchObject({ shouldAct: false, decisionReason: 'no_signals', urgency: 'none', signals: [] })
  })

  it('acts on what is new, most urgent first', () => {
    const decision = decide([signal('plan', 'normal'), signal('conflict', 'elevated')])
    expect(decision).toMatchObject({ shouldAct: true, decisionReason: 'act', urgency: 'elevated' })
    expect(decision.signals.map(({ signature }) => signature)).toEqual(['conflict', 'plan'])
  })

  it('names the first act over a store that holds next to nothing', () => {
    expect(decide([signal('a')], { memories: 4 }).decisionReason).toBe('first_contact')
    expect(decide([signal('a')], { memories: 5 }).decisionReason).toBe('act')
    const { state } = decide([signal('a')], { memories: 4 })
    expect(decide([signal('b')], { memories: 4, at: MORNING + HOUR_MS, state }).decisionReason).toBe('act')
    expect(decide([], { memories: 4 }).decisionReason).toBe('no_signals')
  })

  it('tells a deadline within the hour at any hour, and nothing else with it at night', () => {
    const night = Date.parse('2026-03-04T02:00:00Z')
    const due = (minutes: number) => new Date(night + minutes * MINUTE_MS).toISOString()
    const soon = signal('soon', 'elevated', { kind: 'deadline', dueAt: due(59) })
    const decision = decide([signal('plan', 'elevated'), soon], { at: night, userTurns: [night - MINUTE_MS] })
    expect(decision).toMatchObject({ shouldAct: true, decisionReason: 'act_deadline_critical' })
    expect(fates(decision)).toEqual({ soon: 'acts', plan: 'suppress_quiet_hours' })
    const later = signal('later', 'elevated', { kind: 'deadline', dueAt: due(61) })
    const past = signal('past', 'elevated', { kind: 'deadline', dueAt: due(-61) })
    expect(decide([later, past], { at: night })).toMatchObject({
      shouldAct: false,
      decisionReason: 'suppress_quiet_hours',
    })
  })

  it('tells a deadline again when it becomes critical, however often it was told before', () => {
    const dueAt = new Date(MORNING + 100 * MINUTE_MS).toISOString()
    const deadline = signal('tax', 'normal', { kind: 'deadline', dueAt })
    const heart = live()
    expect(heart.tick(MORNING, [deadline]).decisionReason).toBe('act')
    expect(heart.tick(MORNING + 30 * MINUTE_MS, [deadline]).decisionReason).toBe('suppress_cooldown')
    expect(heart.tick(MORNING + 45 * MINUTE_MS, [deadline]).decisionReason).toBe('act_deadline_critical')
    expect(heart.tick(MORNING + 60 * MINUTE_MS, [deadline]).decisionReason).toBe('suppress_cooldown')
  })

  it('lets only what is immediate through in quiet hours of the user’s zone, whatever hour it is elsewhere', () => {
    const at = Date.parse('2026-05-02T02:10:00Z')
    const settings = { quietHours: { from: '22:30', to: '07:30' }, everyMinutes: 240 }
    const signals = [signal('plan', 'elevated'), signal('timer', 'immediate')]
    const quiet = decide(signals.slice(0, 1), { at, settings, timeZone: 'America/Sao_Paulo' })
    expect(quiet).toMatchObject({
      shouldAct: false,
      decisionReason: 'suppress_quiet_hours',
      nextDue: '2026-05-02T14:10:00.000Z',
    })
    const noon = Date.parse('2026-05-02T14:10:00Z')
    expect(decide(signals.slice(0, 1), { at: noon, settings, timeZone: 'America/Sao_Paulo' }).shouldAct).toBe(true)
    expect(decide(signals.slice(0, 1), { at, settings, timeZone: 'UTC' }).decisionReason).toBe('suppress_quiet_hours')
    expect(decide(signals.slice(0, 1), { at, settings, timeZone: 'Asia/Tokyo' }).shouldAct).toBe(true)
    expect(fates(decide(signals, { at, settings, timeZone: 'America/Sao_Paulo' }))).toEqual({
      timer: 'acts',
      plan: 'suppress_quiet_hours',
    })
    expect(decide([], { at, settings, timeZone: 'America/Sao_Paulo' }).decisionReason).toBe('suppress_quiet_hours')
    expect(decide(signals, { at, settings: { quietHours: null }, timeZone: 'America/Sao_Paulo' }).shouldAct).toBe(true)
  })

  it('gets calmer towards quiet hours', () => {
    const signals = [signal('low', 'low', { weight: 40 }), signal('normal', 'normal'), signal('elevated', 'elevated')]
    const at = (time: string) => fates(decide(signals, { at: Date.parse(`2026-03-04T${time}:00+01:00`) }))
    expect(at('16:59')).toEqual({ low: 'acts', normal: 'acts', elevated: 'acts' })
    expect(at('17:00')).toEqual({ low: 'suppress_time_period', normal: 'acts', elevated: 'acts' })
    expect(at('21:00')).toEqual({ low: 'suppress_time_period', normal: 'suppress_time_period', elevated: 'acts' })
    expect(at('07:00')).toEqual({ low: 'acts', normal: 'acts', elevated: 'acts' })
  })

  it('does not break into a conversation with what can wait', () => {
    const signals = [signal('normal', 'normal'), signal('elevated', 'elevated')]
    expect(fates(decide(signals, { userTurns: [MORNING - 14 * MINUTE_MS] }))).toEqual({
      elevated: 'acts',
      normal: 'suppress_conversation',
    })
    const alone = decide(signals.slice(0, 1), { userTurns: [MORNING] })
    expect(alone).toMatchObject({ shouldAct: false, decisionReason: 'suppress_conversation' })
    // An old turn, or one that a wrong clock put into the future, is no conversation.
    for (const turn of [MORNING - 15 * MINUTE_MS, MORNING + MINUTE_MS]) {
      expect(decide(signals, { userTurns: [turn] }).signals.map(({ suppressedBy }) => suppressedBy)).toEqual([
        undefined,
        undefined,
      ])
    }
  })

  it('leaves a told signal alone for its cooldown while a new one acts, then tells it once more', () => {
    const heart = live()
    const tern = (percent: number): Signal => signal('tern', 'elevated', { summary: `disk tern at ${percent}%` })
    expect(heart.tick(MORNING, [tern(93)])).toMatchObject({ shouldAct: true, decisionReason: 'act' })
    const second = heart.tick(MORNING + 30 * MINUTE_MS, [tern(94)])
    expect(second).toMatchObject({ shouldAct: false, decisionReason: 'suppress_cooldown' })
    expect(fates(second)).toEqual({ tern: 'suppress_cooldown' })
    const third = heart.tick(MORNING + 31 * MINUTE_MS, [signal('valve', 'normal')])
    expect(third).toMatchObject({ shouldAct: true, decisionReason: 'act' })
    const fourth = heart.tick(MORNING + 32 * MINUTE_MS, [tern(94), signal('valve', 'normal')])
    expect(fourth).toMatchObject({ shouldAct: true, decisionReason: 'act_stale_escalated' })
    expect(fates(fourth)).toEqual({ tern: 'acts', valve: 'suppress_cooldown' })
    const fifth = heart.tick(MORNING + 23 * HOUR_MS, [tern(95)])
    expect(fates(fifth)).toEqual({ tern: 'suppress_repeat' })
    expect(heart.tick(MORNING + 25 * HOUR_MS, [tern(95)]).decisionReason).toBe('act_stale_escalated')
  })

  it('takes another occurrence, or a greater urgency, of what was told for news', () => {
    const heart = live()
    const standup = (day: string) => signal('standup', 'immediate', { kind: 'scheduled', dueAt: `2026-03-${day}:00Z` })
    expect(heart.tick(MORNING, [standup('04T09:00')]).decisionReason).toBe('act')
    expect(heart.tick(MORNING + MINUTE_MS, [standup('04T09:00')]).decisionReason).toBe('suppress_repeat')
    expect(heart.tick(MORNING + MINUTE_MS, [standup('04T10:30')]).decisionReason).toBe('suppress_cooldown')
    expect(heart.tick(MORNING + 2 * MINUTE_MS, [standup('05T09:00')]).decisionReason).toBe('act')
    expect(heart.tick(MORNING + 3 * MINUTE_MS, [signal('plan', 'normal')]).shouldAct).toBe(true)
    expect(heart.tick(MORNING + 4 * MINUTE_MS, [signal('plan', 'elevated')]).decisionReason).toBe('act')
    expect(heart.tick(MORNING + 5 * MINUTE_MS, [signal('plan', 'normal')]).decisionReason).toBe('suppress_cooldown')
  })

  it('does not tell again what was told and has begun meanwhile', () => {
    const heart = live()
    const call = signal('call', 'immediate', { kind: 'scheduled', dueAt: new Date(MORNING + HOUR_MS).toISOString() })
    expect(heart.tick(MORNING, [call]).shouldAct).toBe(true)
    expect(heart.tick(MORNING + 50 * MINUTE_MS, [call]).decisionReason).toBe('act_stale_escalated')
    expect(heart.tick(MORNING + 110 * MINUTE_MS, [call]).decisionReason).toBe('suppress_repeat')
    const missed = live()
    expect(missed.tick(MORNING + 90 * MINUTE_MS, [call]).shouldAct).toBe(true)
    expect(missed.tick(MORNING + 130 * MINUTE_MS, [call]).decisionReason).toBe('suppress_repeat')
  })

  it('tells what stays the same less and less often', () => {
    const heart = live({ quietHours: null })
    const told: number[] = []
    for (let minutes = 0; minutes < 60 * 24 * 30; minutes += 30) {
      if (heart.tick(MORNING + minutes * MINUTE_MS, [signal('plan', 'normal')]).shouldAct) told.push(minutes / 60)
    }
    const gaps = told.slice(1).map((at, index) => at - (told[index] ?? 0))
    expect(gaps).toEqual([2.5, 24.5, 48.5, 96.5, 168.5, 168.5, 168.5])
  })

  it('keeps low signals back until they are many, or it was silent for long', () => {
    const low = (count: number) =>
      Array.from({ length: count }, (_, index) => signal(`low ${index}`, 'low', { weight: 4 }))
    expect(decide(low(2))).toMatchObject({ shouldAct: false, decisionReason: 'suppress_low' })
    expect(decide(low(3))).toMatchObject({ shouldAct: true, decisionReason: 'act_confluence' })
    expect(decide(low(3), { settings: { autonomy: 'observe' } }).decisionReason).toBe('suppress_low')
    const normal = (count: number) => Array.from({ length: count }, (_, n) => signal(`n ${n}`, 'normal', { weight: 3 }))
    expect(decide(normal(3)).decisionReason).toBe('act')
    expect(decide(normal(4)).decisionReason).toBe('act_confluence')
    expect(decide([...normal(4), signal('timer', 'immediate')]).decisionReason).toBe('act')
    const beside = decide([signal('plan', 'normal'), ...low(1)])
    expect(fates(beside)).toEqual({ plan: 'acts', 'low 0': 'suppress_low' })
  })

  it('nudges with a low signal after long silence, so many times a day, and later each time nobody answers', () => {
    const began = createState(new Date(MORNING - 4 * HOUR_MS))
    const low = [signal('low', 'low', { weight: 1 })]
    expect(decide(low, { state: began })).toMatchObject({ shouldAct: true, decisionReason: 'nudge' })
    expect(decide(low, { state: began, at: MORNING - 1 }).decisionReason).toBe('suppress_low')
    expect(decide(low, { state: began, userTurns: [MORNING - HOUR_MS] }).decisionReason).toBe('suppress_low')
    expect(decide(low, { state: began, settings: { autonomy: 'observe' } }).decisionReason).toBe('suppress_low')
    const once = {
      ...began,
      beganAt: 0,
      acts: [{ at: MORNING - 5 * HOUR_MS, reason: 'nudge' as const, answered: false }],
    }
    expect(decide(low, { state: once }).decisionReason).toBe('suppress_low')
    expect(decide(low, { state: once, at: MORNING + 3 * HOUR_MS }).decisionReason).toBe('nudge')
    const acts = [8, 7, 6].map((hours) => ({ at: MORNING - hours * HOUR_MS, reason: 'nudge' as const, answered: true }))
    const capped = { ...began, beganAt: 0, acts }
    expect(decide(low, { state: capped }).decisionReason).toBe('suppress_nudge_cap')
    expect(decide(low, { state: capped, at: MORNING + 24 * HOUR_MS }).decisionReason).toBe('nudge')
  })

  it('waits longer where little was answered, and not with what is immediate', () => {
    const told = { at: MORNING - 2.5 * HOUR_MS, times: 1, pressure: 2 }
    const having = (...answers: boolean[]) => ({ ...stateAfter(answers), told: new Map([['plan', told]]) })
    const plan = [signal('plan', 'normal')]
    expect(decide(plan, { state: having(true, false, true) }).shouldAct).toBe(true)
    expect(decide(plan, { state: having(false, false) }).shouldAct).toBe(true)
    expect(decide(plan, { state: having(false, false, true, false) }).decisionReason).toBe('suppress_cooldown')
  })

  it('tells the silent less of what is new too, but never holds back what is immediate', () => {
    const fresh = [signal('fresh', 'normal')]
    expect(decide(fresh, { state: stateAfter([false, false]) }).shouldAct).toBe(true)
    expect(decide(fresh, { state: stateAfter([false, false, false]) }).decisionReason).toBe('suppress_cooldown')
    expect(decide(fresh, { state: stateAfter([false, false, true, false]) }).shouldAct).toBe(true)
    expect(decide([signal('timer', 'immediate')], { state: stateAfter([false, false, false]) }).shouldAct).toBe(true)
  })

  it('learns from the user’s turns which acts were answered', () => {
    const acts = [0, 10, 20].map((hours) => ({ at: MORNING + hours * HOUR_MS, reason: 'act' as const }))
    const state = { ...createState(new Date(MORNING)), acts }
    const answers = (userTurns: number[], hours: number) =>
      decide([], { at: MORNING + hours * HOUR_MS, state, userTurns }).state.acts.map(({ answered }) => answered)
    expect(answers([MORNING + HOUR_MS], 21)).toEqual([true, false, undefined])
    expect(answers([MORNING + 17 * HOUR_MS], 27)).toEqual([false, false, false])
    // Where no session is known at all, silence says nothing.
    expect(answers([], 100)).toEqual([undefined, undefined, undefined])
  })

  it('lets one of several processes act in the same tick', () => {
    const first = decide([signal('a')], { claimant: 'one' })
    const same = { state: first.state, at: MORNING + 5 }
    expect(decide([signal('a')], { ...same, claimant: 'two' }).decisionReason).toBe('suppress_claimed')
    expect(decide([signal('a')], { ...same, claimant: 'one' }).decisionReason).toBe('suppress_cooldown')
    const later = { state: first.state, at: MORNING + 40 * MINUTE_MS }
    expect(decide([signal('a')], { ...later, claimant: 'two' }).shouldAct).toBe(true)
  })

  it('neither waits for ever nor bursts when the clock is set back', () => {
    const heart = live()
    heart.tick(MORNING, [signal('a'), signal('b', 'normal')])
    const back = MORNING - 5 * HOUR_MS
    const settings = { quietHours: null }
    expect(fates(heart.tick(back, [signal('a'), signal('b', 'normal')], { settings }))).toEqual({
      a: 'suppress_cooldown',
      b: 'suppress_cooldown',
    })
    expect(heart.tick(back + 31 * MINUTE_MS, [signal('a')], { settings }).decisionReason).toBe('act_stale_escalated')
  })

  it('tells nothing again after minutes because the clock was set back and on again in between', () => {
    const heart = live()
    const settings = { quietHours: null }
    heart.tick(MORNING, [signal('a')], { settings })
    expect(heart.tick(MORNING - HOUR_MS, [signal('a')], { settings }).decisionReason).toBe('suppress_cooldown')
    expect(heart.tick(MORNING + 10 * MINUTE_MS, [signal('a')], { settings }).decisionReason).toBe('suppress_cooldown')
    expect(heart.tick(MORNING + 31 * MINUTE_MS, [signal('a')], { settings }).decisionReason).toBe('act_stale_escalated')
  })

  it('names as the next look the host’s own first tick after quiet hours, which may be a whole distance behind their end', () => {
    const settings = { quietHours: { from: '23:00', to: '07:00' }, everyMinutes: 30 }
    const at = Date.parse('2026-03-03T22:59:00Z')
    const first = decide([], { at, settings, timeZone: 'UTC' })
    expect(first.nextDue).toBe('2026-03-04T07:29:00.000Z')
    // The tick there acts on what waited meanwhile.
    const next = decide([signal('plan')], {
      at: Date.parse(first.nextDue),
      settings,
      timeZone: 'UTC',
      state: first.state,
    })
    expect(next.shouldAct).toBe(true)
    expect(decide([], { at: Date.parse('2026-03-03T22:30:00Z'), settings, timeZone: 'UTC' }).nextDue).toBe(
      '2026-03-04T07:00:00.000Z',
    )
  })

  it('takes an act of a clock that ran ahead for none of this very tick', () => {
    const { state } = decide([signal('a')], { claimant: 'one' })
    const back = decide([signal('a'), signal('b')], { state, at: MORNING - 3 * HOUR_MS, claimant: 'two' })
    expect(fates(back)).toEqual({ a: 'suppress_cooldown', b: 'acts' })
    const silent = decide([signal('a')], { state, at: MORNING - 3 * HOUR_MS, claimant: 'two' })
    const soon = { state: silent.state, at: MORNING - 3 * HOUR_MS + 5000, claimant: 'three' }
    expect(fates(decide([signal('a'), signal('b')], soon))).toEqual({ a: 'suppress_cooldown', b: 'acts' })
    // A clock that is read a moment earlier than the other's was.
    const same = decide([signal('b')], { state, at: MORNING - 5, claimant: 'two' })
    expect(same.decisionReason).toBe('suppress_claimed')
  })

  it('tells so many of one kind, counts the others, and tells those in the next ticks', () => {
    const tasks = Array.from({ length: 30 }, (_, index) =>
      signal(`task ${index}`, 'elevated', { kind: 'pending_work' }),
    )
    const all = [...tasks, signal('conflict')]
    const heart = live({ quietHours: null })
    const told: string[] = []
    const tick = (minute: number) => {
      const decision = heart.tick(MORNING + minute * MINUTE_MS, all, { more: { conflict: 3 } })
      const acting = decision.signals.filter(({ suppressedBy }) => suppressedBy === undefined)
      told.push(...acting.map(({ signature }) => signature))
      const counted = decision.signals.length + (decision.leftOut.pending_work ?? 0)
      expect([counted, decision.leftOut.conflict]).toEqual([31, 3])
      return acting.length
    }
    expect([tick(0), tick(10), tick(20), tick(25)]).toEqual([13, 12, 6, 0])
    expect(new Set(told)).toEqual(new Set(all.map(({ signature }) => signature)))
  })

  it('speaks up for low signals as it did for few, however many more there are', () => {
    const low = (count: number) =>
      Array.from({ length: count }, (_, index) => signal(`${index}`, 'low', { kind: 'knowledge_gap', weight: 0.9 }))
    expect(decide(low(11)).shouldAct).toBe(false)
    expect(decide(low(200))).toMatchObject({ shouldAct: false, leftOut: { knowledge_gap: 188 } })
  })

  it('keeps quiet hours by the clock on days on which it changes', () => {
    const settings = { quietHours: { from: '23:00', to: '07:00' }, everyMinutes: 30 }
    for (const day of ['2026-03-28', '2026-10-24']) {
      const acted: string[] = []
      for (let minutes = 0; minutes < 48 * 60; minutes += 30) {
        const at = Date.parse(`${day}T10:00:00Z`) + minutes * MINUTE_MS
        const { shouldAct } = decide([signal('a', 'elevated')], { at, settings })
        const local = new Date(at).toLocaleTimeString('en-GB', { timeZone: 'Europe/Zurich' })
        expect(shouldAct).toBe(local >= '07:00' && local < '23:00')
        if (shouldAct) acted.push(local)
      }
      expect(acted).toContain('07:00:00')
      expect(acted).toContain('22:30:00')
    }
  })

  it('never tells a signal twice within its cooldown, and never loses one without a reason', () => {
    const step = fc.record({
      minutes: fc.integer({ min: 1, max: 600 }),
      names: fc.subarray(['a', 'b', 'c', 'd']),
      urgency: fc.constantFrom<Urgency>('elevated', 'normal', 'low'),
      talks: fc.boolean(),
    })
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 40 }),
        fc.constantFrom('observe', 'suggest', 'act'),
        (steps, autonomy) => {
          const heart = live({ autonomy })
          const toldAt = new Map<string, number>()
          let at = MORNING
          for (const { minutes, names, urgency, talks } of steps) {
            at += minutes * MINUTE_MS
            const signals = names.map((name) => signal(`${name} ${urgency}`, urgency, { weight: 4 }))
            const decision = heart.tick(at, signals, { userTurns: talks ? [at] : [] })
            const acting = decision.signals.filter(({ suppressedBy }) => suppressedBy === undefined)
            expect(decision.signals).toHaveLength(signals.length)
            expect(decision.shouldAct).toBe(acting.length > 0)
            for (const { signature } of acting) {
              const since = at - (toldAt.get(signature) ?? Number.NEGATIVE_INFINITY)
              expect(since).toBeGreaterThan(AUTONOMY_LEVELS[autonomy].cooldownMs[urgency as 'normal'])
              toldAt.set(signature, at)
            }
          }
        },
      ),
    )
  })

  it('does not change what it is given', () => {
    const { state } = decide([signal('a')])
    const before = structuredClone(state)
    decide([signal('b')], { state, at: MORNING + HOUR_MS, userTurns: [MORNING + 1] })
    expect(state).toEqual(before)
  })

  it('refuses settings that cannot be used', () => {
    const wrong: HeartbeatSettings[] = [
      { quietHours: { from: '23', to: '07:00' } },
      { quietHours: { from: '07:00', to: '07:00' } },
      { quietHours: { from: '24:00', to: '07:00' } },
      { everyMinutes: 0 },
      { everyMinutes: 1.5 },
    ]
    for (const settings of wrong) expect(() => decide([], { settings })).toThrow(/Cannot (?:keep|tick)/)
  })
})
