import { BETWEEN_TURNS } from './between-turns.ts'
import { CORE } from './core.ts'
import type { Migration } from './migration.ts'
import { RELATIONSHIPS } from './relationships.ts'
import { VECTORS } from './vectors.ts'

/** How a schema comes from one version to the next: entry n leads from version n to n + 1. Published entries never change. */
export const MIGRATIONS: readonly Migration[] = [CORE, RELATIONSHIPS, BETWEEN_TURNS, VECTORS]
