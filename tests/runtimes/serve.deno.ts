import { openApp } from './app'
import { LISTENS } from './surroundings'

type Handler = (request: Request) => Promise<Response>

declare const Deno: {
  readonly args: readonly string[]
  serve(
    options: { port: number; hostname: string; onListen: (at: { port: number }) => void },
    handle: Handler,
  ): unknown
}

const onListen = ({ port }: { port: number }) => console.log(`${LISTENS}${port}`)
Deno.serve({ port: 0, hostname: '127.0.0.1', onListen }, openApp(Deno.args[0] ?? ''))
