import { loadAdapter } from './load-adapter.js'

/** Madeleine beside the host's own memory. */
export default {
  id: 'madeleine',
  name: 'Madeleine',
  description: 'Involuntary memory: what matters from notes and past sessions surfaces by itself before a turn.',
  register(api) {
    loadAdapter(api.rootDir).createPluginEntry('companion').register(api)
  },
}
