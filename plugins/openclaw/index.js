import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const { loadAdapter } = createRequire(import.meta.url)('./load-adapter.cjs')

export default loadAdapter(dirname(fileURLToPath(import.meta.url))).createPluginEntry('companion')
