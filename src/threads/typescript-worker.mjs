// Runs a worker's TypeScript source, for tests and development only (the build leaves this file out): Node 20 does not
// pass the loader of the main thread on to workers.
import { workerData } from 'node:worker_threads'
import { register } from 'tsx/esm/api'

register()
await import(workerData.entry)
