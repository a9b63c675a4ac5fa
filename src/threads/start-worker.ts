import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker, type WorkerOptions } from 'node:worker_threads'

/**
 * Starts a thread that runs a module: a built one, or its TypeScript source where this is run from sources itself (tests,
 * development). `data` is its `workerData`. Throws where the process may start none.
 */
export function startWorker(entry: URL, data: object, limits: Pick<WorkerOptions, 'resourceLimits'> = {}): Worker {
  const isSource = extname(fileURLToPath(entry)) === '.ts'
  return new Worker(isSource ? new URL('./typescript-worker.mjs', import.meta.url) : entry, {
    workerData: { ...data, entry: entry.href },
    // Loaders and hooks that the host was started with are none of a worker's business.
    execArgv: [],
    ...limits,
  })
}
