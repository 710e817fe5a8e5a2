import { BUILDS } from './builds'
import type { WorkerScope } from './scope'

declare const self: WorkerScope
/** Names the build that this worker serves; `build.ts` puts these in. */
declare const BUILD: string
/** The addresses of its files, but for the page. */
declare const FILES: readonly string[]
/** The addresses that are the service's own. */
declare const SERVICE: string

const PREFIX = 'client-'
const CACHE = `${PREFIX}${BUILD}`
const PAGE = '/'
const channel = new BroadcastChannel(BUILDS)
const files = FILES
const service = new RegExp(SERVICE)

/**
 * Serves the client from this device, so that it opens without a network; everything else goes to the service as if the
 * worker were not there (contract: web.worker). A build is kept whole before it is served, so a page never lacks a file.
 */
self.addEventListener('install', (event) => event.waitUntil(install()))
self.addEventListener('activate', (event) => event.waitUntil(activate()))
self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin) return
  if (request.mode === 'navigate') {
    if (!service.test(pathname)) event.respondWith(page(request))
  } else if (files.includes(pathname) || pathname.startsWith('/assets/')) event.respondWith(file(request))
})

async function install(): Promise<void> {
  const cache = await caches.open(CACHE)
  await Promise.all([keepPage(cache), ...files.map((path) => keep(cache, path))])
  await self.skipWaiting()
}

/** The name of a file of `assets/` tells its content, so that what the build before had need not be fetched again. */
async function keep(cache: Cache, path: string): Promise<void> {
  const known = path.startsWith('/assets/') ? await caches.match(path) : undefined
  await cache.put(path, known ?? whole(await fetch(path)))
}

/** @throws {Error} when another instance of the service answers with another build; the browser tries again later. */
async function keepPage(cache: Cache): Promise<void> {
  const response = whole(await fetch(PAGE, { cache: 'no-store', headers: { accept: 'text/html' } }))
  if (!(await response.clone().text()).includes(BUILD)) throw new Error('The page is of another build')
  await cache.put(PAGE, response)
}

function whole(response: Response): Response {
  if (!response.ok || response.redirected) throw new Error(`${response.url}: ${response.status}`)
  return response
}

/** The build before stays for the tabs that still run it. */
async function activate(): Promise<void> {
  const others = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE)
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)))
  await self.clients.claim()
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin, and no such argument
  channel.postMessage(BUILD)
}

async function page(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE)
  return (await cache.match(PAGE)) ?? fetch(request)
}

async function file(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE)
  return (await cache.match(request)) ?? (await caches.match(request)) ?? fetch(request)
}
