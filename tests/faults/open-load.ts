import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** What came of the requests of one load. */
export interface Outcome {
  readonly offered: number
  /** How long each took, in milliseconds. */
  readonly accepted: readonly number[]
  /** 503 or 429, likewise. */
  readonly refused: readonly number[]
  /** Any other status; 0 where the connection broke. */
  readonly odd: ReadonlyMap<number, number>
}

interface Load {
  readonly port: number
  /** Of the users who ask in turn. */
  readonly cookies: readonly string[]
  readonly path: string
  readonly perSecond: number
  readonly seconds: number
}

const TICK_MS = 5
/** Shorter than the 30 s after which the service closes an idle connection, maybe just as it is used again. */
const KEEP_ALIVE_MS = 20_000
const DRAIN_MS = 12_000

/** One request at a time on a connection that is kept. */
class Client {
  #socket: Socket | undefined
  #received = ''
  #answer: ((status: number) => void) | undefined
  #usedAt = 0

  async request(port: number, text: string): Promise<number> {
    if (performance.now() - this.#usedAt > KEEP_ALIVE_MS) this.#forget()
    this.#socket ??= await this.#open(port)
    this.#usedAt = performance.now()
    return new Promise((resolve) => {
      this.#answer = resolve
      this.#socket?.write(text)
    })
  }

  close() {
    this.#socket?.destroy()
  }

  #forget() {
    this.#socket?.removeAllListeners('close').destroy()
    this.#socket = undefined
  }

  async #open(port: number): Promise<Socket> {
    const socket = connect(port, '127.0.0.1')
    socket.setNoDelay(true)
    socket.on('data', (chunk) => this.#read(chunk.toString('latin1')))
    socket.on('error', () => undefined)
    socket.on('close', () => {
      this.#socket = undefined
      this.#settle(0)
    })
    await once(socket, 'connect')
    return socket
  }

  /** Answers carry their length, or come in chunks. */
  #read(text: string) {
    this.#received += text
    const head = this.#received.indexOf('\r\n\r\n')
    if (head < 0) return
    const [, length] = /\r\ncontent-length: (\d+)/i.exec(this.#received.slice(0, head)) ?? []
    const isWhole =
      length === undefined
        ? this.#received.endsWith('\r\n0\r\n\r\n')
        : this.#received.length >= head + 4 + Number(length)
    if (!isWhole) return
    const status = Number(this.#received.slice(9, 12))
    this.#received = ''
    this.#settle(status)
  }

  #settle(status: number) {
    const answer = this.#answer
    this.#answer = undefined
    answer?.(status)
  }
}

/** Sends so many requests a second whether they are answered or not, as many people do who do not know of each other. */
export async function openLoad({ port, cookies, path, perSecond, seconds }: Load): Promise<Outcome> {
  const texts = cookies.map(
    (cookie) => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nCookie: ${cookie}\r\n\r\n`,
  )
  let turn = 0
  const idle: Client[] = []
  const clients = new Set<Client>()
  const accepted: number[] = []
  const refused: number[] = []
  const odd = new Map<number, number>()
  const underWay = new Set<Client>()

  const ask = async () => {
    const client = idle.pop() ?? new Client()
    clients.add(client)
    underWay.add(client)
    const since = performance.now()
    const status = await client.request(port, texts[turn++ % texts.length] ?? '')
    const ms = performance.now() - since
    underWay.delete(client)
    idle.push(client)
    if (status === 200) accepted.push(ms)
    else if (status === 503 || status === 429) refused.push(ms)
    else odd.set(status, (odd.get(status) ?? 0) + 1)
  }

  const startedAt = performance.now()
  let offered = 0
  for (;;) {
    const elapsed = performance.now() - startedAt
    if (elapsed >= seconds * 1000) break
    for (const due = Math.floor((elapsed / 1000) * perSecond); offered < due; offered++) void ask()
    await Bun.sleep(TICK_MS)
  }
  const deadline = performance.now() + DRAIN_MS
  while (underWay.size > 0 && performance.now() < deadline) await Bun.sleep(TICK_MS)
  for (const client of clients) client.close()
  return { offered, accepted, refused, odd }
}
