/** The kinds of items. Cursors name them by their place here, so further ones are added at the end. */
export const TYPES = [
  'calendar',
  'event',
  'event_template',
  'todo',
  'reminder',
  'project',
  'task',
  'comment',
  'person',
  'connection',
  'connection_request',
  'calendar_invite',
  'notification',
  'settings',
] as const
export type ChangeType = (typeof TYPES)[number]

/** The types in a comma-separated list, or all, in so far as they may be read. */
export function typesOf(list: string | undefined, readable: readonly ChangeType[]): readonly ChangeType[] {
  const named = list?.split(',').map((name) => name.trim())
  return TYPES.filter((type) => readable.includes(type) && (named?.includes(type) ?? true))
}
