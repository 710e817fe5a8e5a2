import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'

/** What a server says to a request, in bytes, or does with its connection. */
export type Answer = string | Uint8Array | ((socket: Socket) => void)

/** A server on 127.0.0.1 that answers anything to every request; `requests` are the texts that it got. */
export async function rawServer(answerTo: (request: string) => Answer) {
  const sockets = new Set<Socket>()
  const requests: string[] = []
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    let request = ''
    socket.on('data', (bytes) => {
      request += bytes.toString()
      const [head = '', body] = request.split('\r\n\r\n')
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
      if (body === undefined || Buffer.byteLength(body) < length) return
      requests.push(request)
      const answer = answerTo(request)
      request = ''
      if (typeof answer === 'function') answer(socket)
      else socket.end(answer)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    requests,
    port: address.port,
    url: `http://127.0.0.1:${address.port}`,
    /** Connections that are open. */
    connections: () => sockets.size,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

/** A whole answer with `body` as it is. */
export function answerOf(
  body: string | Uint8Array,
  { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
): Uint8Array {
  const bytes = Buffer.from(body)
  const lines = Object.entries({ ...headers, 'Content-Length': String(bytes.length), Connection: 'close' })
  const head = [`HTTP/1.1 ${status} Any`, ...lines.map(([name, value]) => `${name}: ${value}`), '', ''].join(
    '\r\n',
  )
  return Buffer.concat([Buffer.from(head), bytes])
}

const HEAD = 'HTTP/1.1 200 OK\r\n'
const drip = (first: string, drop: string) => (socket: Socket) => {
  socket.write(first)
  const timer = setInterval(() => socket.write(drop), 10)
  socket.on('close', () => clearInterval(timer))
}
const flood = (first: string, flow: string) => (socket: Socket) => {
  socket.write(first)
  const pour = () => {
    while (socket.writable && socket.write(flow));
  }
  socket.on('drain', pour)
  pour()
}

/** Answers that never come to their end, or to nothing that is HTTP. */
export const DEAD_ENDS: Readonly<Record<string, Answer>> = {
  'says nothing': () => {},
  'hangs up': (socket) => socket.end(),
  'resets the connection': (socket) => socket.resetAndDestroy(),
  'drips headers': drip(HEAD, 'X-Drop: 1\r\n'),
  'floods headers': flood(HEAD, `X-Flood: ${'x'.repeat(60_000)}\r\n`),
  'is no HTTP server': 'SSH-2.0-OpenSSH_9.9\r\n',
}

/** Bodies that never end. */
export const ENDLESS_BODIES: Readonly<Record<string, Answer>> = {
  'drips its body': drip(`${HEAD}\r\n`, ' '),
  'floods its body': flood(`${HEAD}\r\n`, ' '.repeat(65_536)),
}

/** The parts of a request with a JSON body. */
export function requestOf(text = '') {
  const [head = '', body = ''] = text.split('\r\n\r\n')
  const [line, ...fields] = head.split('\r\n')
  const headers = Object.fromEntries(
    fields.map((field) => [
      field.slice(0, field.indexOf(':')).toLowerCase(),
      field.slice(field.indexOf(':') + 1).trim(),
    ]),
  )
  return { line, headers, json: JSON.parse(body) }
}
