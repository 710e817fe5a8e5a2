import type { BrowserContext, Page } from 'playwright-core'

const built = await Bun.build({
  entrypoints: [`${import.meta.dir}/web-probe.tsx`],
  target: 'browser',
  define: { 'process.env.NODE_ENV': '"production"' },
})
const script = (await built.outputs[0]?.text()) ?? ''

/** Puts the client with its probe (`web-probe.tsx`) in the place of the client, in all pages of a context. */
export async function useProbe(context: BrowserContext): Promise<void> {
  await context.route(/\/assets\/main-[^/]*\.js$/, (route, request) =>
    request.resourceType() === 'script'
      ? route.fulfill({ contentType: 'text/javascript', body: script })
      : route.continue(),
  )
}

/** What the client's own `call` answers: a status, or the status of the refusal. */
export const callOn = (page: Page, method: string, path: string, body?: object): Promise<number> =>
  page.evaluate(
    async ([how, where, what]) => {
      const { call } = globalThis as unknown as {
        call: (method: string, path: string, sent: object) => Promise<{ status: number }>
      }
      return call(how, where, what === undefined ? {} : { body: what }).then(
        ({ status }) => status,
        (error: { refusal?: { status: number } }) => error.refusal?.status ?? -1,
      )
    },
    [method, path, body] as const,
  )

/** The field of the probe, which is part of no page. */
export const draftOn = (page: Page) => page.getByLabel('Draft')
