/** One event of a stream (HTML, section 9.2.6). */
export interface StreamedEvent {
  readonly name: string
  readonly data: string
}

/** Reads events from text that arrives in pieces; a comment is none. */
export class EventReader {
  #rest = ''

  /** Returns the events that are whole with this piece. */
  read(piece: string): StreamedEvent[] {
    const blocks = (this.#rest + piece).split('\n\n')
    this.#rest = blocks.pop() ?? ''
    return blocks.flatMap(eventOf)
  }
}

function eventOf(block: string): StreamedEvent[] {
  const fields = block.split('\n').map((line) => /^(event|data): ?(.*)$/.exec(line))
  const all = (name: string) => fields.flatMap((field) => (field?.[1] === name ? (field[2] ?? '') : []))
  const data = all('data')
  return data.length === 0 ? [] : [{ name: all('event').at(-1) ?? 'message', data: data.join('\n') }]
}
