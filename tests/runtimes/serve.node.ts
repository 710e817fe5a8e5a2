import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { openApp } from './app'
import { LISTENS } from './surroundings'

const handle = openApp(process.argv[2] ?? '')

function toRequest(incoming: IncomingMessage): Request {
  const { method = 'GET', url = '/', headers } = incoming
  const hasBody = method !== 'GET' && method !== 'HEAD'
  return new Request(new URL(url, `http://${headers.host}`), {
    method,
    headers: Object.entries(headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((one): [string, string] => [name, one]),
    ),
    ...(hasBody && { body: Readable.toWeb(incoming) as never, duplex: 'half' }),
  })
}

async function answer(incoming: IncomingMessage, outgoing: ServerResponse) {
  const { status, headers, body } = await handle(toRequest(incoming))
  outgoing.writeHead(status, [...headers].flat())
  if (body) await pipeline(Readable.fromWeb(body as never), outgoing)
  else outgoing.end()
}

const server = createServer((incoming, outgoing) => void answer(incoming, outgoing))
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(`${LISTENS}${typeof address === 'object' ? address?.port : ''}`)
})
