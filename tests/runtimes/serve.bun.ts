import { openApp } from './app'
import { LISTENS } from './surroundings'

const handle = openApp(process.argv[2] ?? '')
const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: handle })
console.log(`${LISTENS}${server.port}`)
