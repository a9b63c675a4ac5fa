import { existsSync, readFileSync } from 'node:fs'

/** What one piece of work took. CPU time is that of the whole process: a busy machine lengthens the wall time alone. */
export interface Spent {
  wallMs: number
  cpuMs: number
}

/** Hundredths of a second are what the system counts in. */
const TICK_MS = 10

/** CPU time of the main thread alone, ms, where the system tells it (Linux): what threads beside it take, they take at the same time. */
export function mainThreadMs(): number | undefined {
  const file = `/proc/self/task/${process.pid}/stat`
  if (!existsSync(file)) return undefined
  const text = readFileSync(file, 'utf8')
  // The name before may hold anything; user and system time are the 12th and 13th field after it.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

/** Adds up, under names, what calls take. */
export class Stopwatch {
  readonly #spent = new Map<string, Spent & { calls: number }>()

  /** Runs `work` and adds what it took to `name`. */
  async time<T>(name: string, work: () => T | Promise<T>): Promise<T> {
    const cpu = process.cpuUsage()
    const start = performance.now()
    try {
      return await work()
    } finally {
      const used = process.cpuUsage(cpu)
      const known = this.#spent.get(name) ?? { wallMs: 0, cpuMs: 0, calls: 0 }
      known.wallMs += performance.now() - start
      known.cpuMs += (used.user + used.system) / 1000
      known.calls += 1
      this.#spent.set(name, known)
    }
  }

  /** The object with every method timed under `name(method)`; a method for which it is null is left as it is. */
  watch<T extends object>(object: T, name: (method: string) => string | null): T {
    return new Proxy(object, {
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key)
        if (typeof value !== 'function') return value
        const label = typeof key === 'string' ? name(key) : null
        // The object itself as `this`: a proxy has no private fields.
        if (label === null) return value.bind(target)
        return (...parameters: unknown[]) => this.time(label, () => value.apply(target, parameters))
      },
    })
  }

  /** What was added up since the last call, by name; starts anew. */
  take(): Map<string, Spent & { calls: number }> {
    const taken = new Map(this.#spent)
    this.#spent.clear()
    return taken
  }
}

/** The value below which `share` of the values lie; 0 of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
