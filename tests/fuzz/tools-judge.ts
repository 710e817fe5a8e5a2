/** Texts of a stranger, which nobody else may be told, and of a friend, which are told as theirs alone. */
export const [SECRET, FOREIGN] = ['zqsecret', 'zqforeign'] as const

export interface McpAnswer {
  readonly status: number
  readonly text: string
}

const MOST_BYTES = 8192
const MOST_ITEMS = 50

/** Every text of the value that is in no field for what others wrote. */
function trustedIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null || 'untrusted' in value) return []
  return Object.values(value).flatMap(trustedIn)
}

/** What is wrong with an answer to a call. */
export function judgeCall({ status, text }: McpAnswer): string[] {
  const problems: string[] = []
  if (text.includes(SECRET)) problems.push("tells of somebody else's record")
  if (/Internal server error|"code":-32603/.test(text)) problems.push('is a failure')
  if (status >= 500) problems.push(`has the status ${status}`)
  if (status !== 200) return problems
  const message = parsed(/^data: (.*)$/m.exec(text)?.[1] ?? text)
  if (message === undefined) return [...problems, 'does not parse']
  return message.error ? problems : [...problems, ...judgeResult(message.result)]
}

type Said = ReturnType<typeof JSON.parse>

const isShaped = ({ content, structuredContent, isError }: Said): boolean =>
  typeof isError === 'boolean' && content?.[0]?.type === 'text' && typeof structuredContent === 'object'

const sizeOf = ({ content, structuredContent }: Said): number =>
  Buffer.byteLength(JSON.stringify({ content, structuredContent }))

const itemsIn = ({ structuredContent: { items = [], results = [] } }: Said): number =>
  Math.max(items.length, results.length)

const tellsAsOwn = ({ structuredContent }: Said): boolean =>
  trustedIn(structuredContent).some((one) => one.includes(FOREIGN))

function judgeResult(result: Said = {}): string[] {
  if (!isShaped(result)) return ['has another shape']
  return [
    ...(sizeOf(result) > MOST_BYTES ? ['has more than 8 kB'] : []),
    ...(itemsIn(result) > MOST_ITEMS ? ['has more than 50 items'] : []),
    ...(tellsAsOwn(result) ? ['tells a text of others as its own'] : []),
  ]
}

function parsed(text: string): ReturnType<typeof JSON.parse> {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
