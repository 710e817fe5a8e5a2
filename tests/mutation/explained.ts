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
]
