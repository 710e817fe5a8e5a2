/** Mutants that no test can kill, as nothing that anybody could see differs. */
export interface Explained {
  readonly file: string
  /** The line on which it begins. */
  readonly line: string
  readonly code: string
  readonly becomes: string
  readonly why: string
}

export const EXPLAINED: readonly Explained[] = [
  {
    file: 'src/dav/accept.ts',
    line: 'one.quality === other.quality ? one.isNamed && !other.isNamed : one.quality > other.quality',
    code: 'one.quality > other.quality',
    becomes: 'one.quality >= other.quality',
    why: 'Equal qualities are told apart before.',
  },
  {
    file: 'src/dav/accept.ts',
    line: "const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())",
    code: "''",
    becomes: '"Stryker was here!"',
    why: 'A text that is split has one part at least.',
  },
  {
    file: 'src/dav/accept.ts',
    line: "const [name = '', value = ''] = text.split('=').map((part) => part.trim())",
    code: "''",
    becomes: '"Stryker was here!"',
    why: 'A text that is split has one part at least; what the value stands for is tested.',
  },
  {
    file: 'src/dav/address.ts',
    line: "function ofUser([first, id = '', ...rest]: readonly string[]): Address | undefined {",
    code: "''",
    becomes: '"Stryker was here!"',
    why: 'Neither is the id of a user.',
  },
  {
    file: 'src/dav/conditions.ts',
    line: "return header === '*' ? ['*'] : (header.match(/\"[^\"]*\"/g) ?? [])",
    code: '[]',
    becomes: '["Stryker was here"]',
    why: 'A tag without quotation marks is the tag of nothing.',
  },
  {
    file: 'src/access/user-agents/rules.ts',
    line: 'newestAt !== null && (lastSeenAt === null || lastSeenAt <= seenSince(now))',
    code: 'lastSeenAt === null',
    becomes: 'false',
    why: 'Null is compared as 1970, which is earlier than the 90 days.',
  },
  {
    file: 'src/features/identity/oidc/rules.ts',
    line: "const plain = nfkd((wanted ?? '').slice(0, 200).split('@')[0] ?? '').replaceAll(/\\p{M}/gu, '')",
    code: "''",
    becomes: '"Stryker was here!"',
    why: 'The second one: a text that is split has one part at least.',
  },
  {
    file: 'src/features/identity/ways-in/rules.ts',
    line: 'const isSame = (one: string, other: string) => URL.parse(one)?.href === URL.parse(other)?.href',
    code: 'URL.parse(other)?.href',
    becomes: 'URL.parse(other).href',
    why: 'The other one is of the configuration, which takes only addresses.',
  },
  {
    file: 'src/features/tasks/tasks/rules.ts',
    line: "typeof key[0] === 'string' &&",
    code: "typeof key[0] === 'string'",
    becomes: 'true',
    why: 'What is no text is no day either.',
  },
  {
    file: 'src/access/sessions/service.checks.ts',
    line: 'return row ?? { hasUsers: false, registrationOpen: false }',
    code: 'false',
    becomes: 'true',
    why: 'The statement has one row always.',
  },
  {
    file: 'src/access/sessions/queries.ts',
    line: 'return row?.isLive === true',
    code: 'row?.isLive',
    becomes: 'row.isLive',
    why: 'Both statements have one row always.',
  },
  {
    file: 'src/access/user-agents/queries.ts',
    line: 'return { newestAt: row?.newestAt ?? null, lastSeenAt: row?.lastSeenAt ?? null }',
    code: 'row?.lastSeenAt',
    becomes: 'row.lastSeenAt',
    why: 'An aggregate has one row always.',
  },
  {
    file: 'src/access/sessions/service.checks.ts',
    line: "const isUnauthenticated = (error: unknown) => error instanceof AppError && error.kind === 'unauthenticated'",
    code: "error.kind === 'unauthenticated'",
    becomes: 'true',
    why: 'The checks of a session refuse in no other way.',
  },
  {
    file: 'src/access/versions/queries.ts',
    line: 'if (entries.length === 0) return new Map()',
    code: 'entries.length === 0',
    becomes: 'false',
    why: 'It only spares a statement that would find nothing.',
  },
  {
    file: 'src/features/calendars/members/service.ts',
    line: 'if (rows.length === 0) return',
    code: 'rows.length === 0',
    becomes: 'false',
    why: 'It only spares statements that would find nothing.',
  },
  {
    file: 'src/features/calendars/members/service.ts',
    line: 'await refuseStrangers(tx, userId, [otherId])',
    code: '[otherId]',
    becomes: '[]',
    why: 'The first one only spares strangers a lock: the second, after it, decides.',
  },
  {
    file: 'src/access/calendars/service.ts',
    line: 'if (ownerIds.some((id) => id !== session.userId)) await leaveRoomForOwners(tx, session.userId)',
    code: 'ownerIds.some((id) => id !== session.userId)',
    becomes: 'true',
    why: 'In their own calendars, writers leave room for nobody: the triggers know the owner.',
  },
  {
    file: 'src/dav/destination.ts',
    line: "const path = URL.parse(given.trim(), 'http://localhost')?.pathname ?? ''",
    code: "''",
    becomes: '"Stryker was here!"',
    why: 'What is no address was refused before.',
  },
  {
    file: 'src/dav/sign-in.ts',
    line: 'if (noting.has(tokenId)) return',
    code: 'noting.has(tokenId)',
    becomes: 'false',
    why: 'It only spares statements: the use is noted once a minute anyway.',
  },
  {
    file: 'src/dav/sign-in.ts',
    line: "const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)",
    code: 'true',
    becomes: 'false',
    why: 'Neither is an app password, and all that is wrong is answered alike.',
  },
  {
    file: 'src/dav/sign-in.ts',
    line: "const scheme = commaList(request.headers.get('x-forwarded-proto') ?? '').at(-1)",
    code: "''",
    becomes: '"Stryker was here!"',
    why: 'Neither is https.',
  },
  {
    file: 'src/lib/recurrence/text.ts',
    line: '...numbers.filter((number) => number > 0),',
    code: 'number > 0',
    becomes: 'number >= 0',
    why: 'The lists hold no 0.',
  },
  {
    file: 'src/lib/recurrence/recurrence.ts',
    line: '.find((instant) => instant <= last)',
    code: 'instant <= last',
    becomes: 'instant < last',
    why: 'It only is a place from which to look for the last one, and an earlier place finds the same.',
  },
  {
    file: 'src/features/events/free-times/rules.ts',
    line: 'if (chosen.length === MAX_PROPOSALS) break',
    code: 'chosen.length === MAX_PROPOSALS',
    becomes: 'false',
    why: 'Of the rest nothing is taken anyway.',
  },
  {
    file: 'src/features/events/free-times/rules.ts',
    line: 'const { apart = [], beside = [] } = Object.groupBy(starts, (start) => {',
    code: '[]',
    becomes: '["Stryker was here"]',
    why: 'The first one: the first start is always apart.',
  },
  {
    file: 'src/features/events/windows/rules.basket.ts',
    line: 'const isMixed = parts.some((items, tier) => tier > 0 && items.length > 0)',
    code: 'tier > 0',
    becomes: 'tier >= 0',
    why: 'It only spares sorting what is in order.',
  },
]
