/**
 * Whether others than the owner read a session: groups and channels, as the session's key says (`agent:<id>:<channel>:group:<gid>`).
 * The host, too, keeps private notes out of them.
 */
export function isSharedSession(sessionKey: string | undefined): boolean {
  const parts = (sessionKey ?? '').toLowerCase().split(':').slice(2)
  return parts.includes('group') || parts.includes('channel')
}
