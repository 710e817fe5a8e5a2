import { connect } from 'node:net'
import { once } from 'node:events'

/** A TCP connection that says exactly what it is told; `received` is what has come back so far. */
export async function rawConnection(port: number) {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  socket.on('data', (chunk) => (received += String(chunk)))
  // A reset by the other side shows as closed.
  socket.on('error', () => undefined)
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()))
  await once(socket, 'connect')
  return {
    get received() {
      return received
    },
    get isClosed() {
      return socket.closed
    },
    closed,
    send: (text: string | Uint8Array) => socket.write(text),
    hangUp: () => socket.destroy(),
    [Symbol.dispose]() {
      socket.destroy()
    },
  }
}
