import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'

/** Folders of notes that Claude Code writes by itself: `<root>/<project>/memory`, and `<root>/memory` where the root is one project. */
export async function findClaudeMemoryDirs(root: string): Promise<string[]> {
  const projects = await readdir(root, { withFileTypes: true }).catch(() => [])
  const candidates = [
    path.join(root, 'memory'),
    ...projects.filter((item) => item.isDirectory()).map((item) => path.join(root, item.name, 'memory')),
  ]
  const found: string[] = []
  for (const folder of candidates.sort()) {
    const isFolder = await stat(folder).then(
      (info) => info.isDirectory(),
      () => false,
    )
    if (isFolder) found.push(folder)
  }
  return found
}
