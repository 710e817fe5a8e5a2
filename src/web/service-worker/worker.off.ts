import type { WorkerScope } from './scope'

declare const self: WorkerScope

/** Takes the place of the worker where an operator turned it off: it deletes what was kept and goes (contract: web.worker). */
self.addEventListener('install', (event) => event.waitUntil(self.skipWaiting()))
self.addEventListener('activate', (event) => event.waitUntil(leave()))

async function leave(): Promise<void> {
  await Promise.all((await caches.keys()).map((name) => caches.delete(name)))
  await self.registration.unregister()
}
