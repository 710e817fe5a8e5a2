/** The part of a service worker's global scope that ours uses; the types of pages do not have it. */
export interface WorkerScope {
  readonly location: { readonly origin: string }
  readonly registration: { readonly unregister: () => Promise<boolean> }
  readonly clients: { readonly claim: () => Promise<void> }
  readonly skipWaiting: () => Promise<void>
  addEventListener(type: 'install' | 'activate', listener: (event: LifeEvent) => void): void
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void
}

interface LifeEvent {
  readonly waitUntil: (work: Promise<unknown>) => void
}

interface FetchEvent {
  readonly request: Request
  readonly respondWith: (response: Promise<Response>) => void
}
