import type { OpenOptions } from '../../index.ts'
import { findSources, toWorkspaceOptions } from './find-sources.ts'
import type { PluginApi } from './host-types.ts'
import type { PluginConfig } from './read-plugin-config.ts'

/** What to open for this host: its own workspaces and sessions, and what the plugin's settings say. Plain data, without keys. */
export function toOpenOptions(api: PluginApi, config: PluginConfig): OpenOptions {
  const sources = findSources(api)
  const { workspaces = [], team = [] } = toWorkspaceOptions(sources.workspaces)
  const { recall, heartbeat, indexAfterTurn: _, embeddingBaseUrl, ...own } = config
  const mates = [...new Set([...team, ...(config.team ?? [])])]
  return {
    ...own,
    workspaces,
    transcripts: [...new Set([...sources.transcripts, ...(config.transcripts ?? [])])],
    ...(mates.length > 0 && { team: mates }),
    ...(embeddingBaseUrl !== undefined && { embeddingEndpoint: { baseUrl: embeddingBaseUrl } }),
    recall: {
      ...(recall.threshold !== undefined && { threshold: recall.threshold }),
      ...(recall.tokenBudget !== undefined && { tokenBudget: recall.tokenBudget }),
      ...(recall.deadlineMs !== undefined && { deadlineMs: recall.deadlineMs }),
    },
    heartbeat: {
      ...(heartbeat.autonomy !== undefined && { autonomy: heartbeat.autonomy }),
      ...(heartbeat.quietHours !== undefined && { quietHours: toQuietHours(heartbeat.quietHours) }),
    },
  }
}

function toQuietHours(written: string): { from: string; to: string } | null {
  const [from = '', to = ''] = written.split('-')
  return written === 'none' ? null : { from, to }
}

/** The same with the key of the embedding service: ours first, else the one that the service's own tools use. Keys come from the environment alone. */
export function addEmbeddingKey(options: OpenOptions, env: NodeJS.ProcessEnv): OpenOptions {
  const { embedding } = options
  if (typeof embedding !== 'string') return options
  const own = embedding.startsWith('openai:')
    ? env.OPENAI_API_KEY
    : embedding.startsWith('voyage:')
      ? env.VOYAGE_API_KEY
      : undefined
  const apiKey = env.MADELEINE_EMBEDDING_KEY || own
  return apiKey ? { ...options, embeddingEndpoint: { ...options.embeddingEndpoint, apiKey } } : options
}
