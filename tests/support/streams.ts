/** The text of an answer; of live updates, which end by themselves at no time, what comes first. */
export async function textOf(response: Response): Promise<string> {
  if (response.headers.get('content-type') !== 'text/event-stream') return response.text()
  const reader = response.body?.getReader()
  const first = await reader?.read()
  await reader?.cancel()
  return new TextDecoder().decode(first?.value)
}

/** What a reader of live updates gets. */
interface StreamEvent {
  readonly name: string
  readonly id: string | undefined
  readonly data: {
    readonly changes?: ReadonlyArray<{ readonly op: string; readonly type: string; readonly id: number }>
    readonly reason?: string
  }
}

interface Reading {
  readonly headers: Readonly<Record<string, string>>
  readonly since?: string
}

/** Opens live updates at a base URL; `events` grows as they arrive. Throws for an answer that is no stream. */
export async function openStream(url: string, { headers, since }: Reading) {
  const leaving = new AbortController()
  const query = since === undefined ? '' : `?since=${encodeURIComponent(since)}`
  const response = await fetch(`${url}/api/changes/stream${query}`, { headers, signal: leaving.signal })
  if (response.status !== 200 || !response.body)
    throw new Error(`${response.status} ${await response.text()}`)
  const events: StreamEvent[] = []
  const ended = collect(response.body, events).catch(() => {})
  return {
    response,
    events,
    /** Resolves when the stream is over. */
    ended,
    /** The ids of items that changed, as `todo 5`, in the order in which they came. */
    changed: () =>
      events.flatMap(({ data }) => (data.changes ?? []).map(({ op, type, id }) => `${op} ${type} ${id}`)),
    reason: () => events.find(({ name }) => name === 'end')?.data.reason,
    leave: async () => {
      leaving.abort()
      await ended
    },
  }
}

export type OpenedStream = Awaited<ReturnType<typeof openStream>>

async function collect(body: ReadableStream<Uint8Array>, events: StreamEvent[]): Promise<void> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(bytes, { stream: true })
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    events.push(...blocks.flatMap((block) => eventIn(block) ?? []))
  }
}

/** The event in a block of a stream; undefined where it is none, such as a comment. Throws for data that are no JSON. */
export function eventIn(block: string): StreamEvent | undefined {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
  const name = field('event')
  return name === undefined ? undefined : { name, id: field('id'), data: JSON.parse(field('data') ?? '') }
}
