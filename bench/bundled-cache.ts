import { fileURLToPath } from 'node:url'
import { createBundledProvider } from '../src/embedding/index.ts'
import { type CachedProvider, cacheVectors } from './vector-cache.ts'

/** The bundled model behind the vector cache of this folder. The model itself is loaded when a text is not in the cache. */
export function openCachedProvider(options: { threads?: number } = {}): CachedProvider {
  const cache = (name: string): string => fileURLToPath(new URL(`./.cache/${name}`, import.meta.url))
  return cacheVectors(createBundledProvider({ cacheDir: cache('model'), ...options }), cache('vectors.db'))
}
