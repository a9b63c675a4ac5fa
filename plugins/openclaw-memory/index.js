import { loadAdapter } from './load-adapter.js'

/** Madeleine as the host's memory. */
export default {
  id: 'madeleine-memory',
  name: 'Madeleine (memory)',
  description: 'Involuntary memory: what matters from notes and past sessions surfaces by itself before a turn.',
  kind: 'memory',
  register(api) {
    loadAdapter(api.rootDir).createPluginEntry('owner').register(api)
  },
}
