import { Elysia } from 'elysia'
import type { Deps } from '../deps'
import { AppError } from '../lib/errors'
import { remembered } from '../lib/remembered'
import { answerFile, type WholeFile, wholeFile } from './files'
import { openApiDocument } from './openapi.document'
import { DOCS_INITIALIZER, DOCS_PAGE, DOCS_POLICY } from './openapi.page'
import type { RouteTable } from './route-table'
import type { SessionGuard } from './session-guard'

/** Browsers revalidate by `ETag`. */
const ASK_AGAIN = 'no-cache'
const KEEP_A_DAY = 'public, max-age=86400'
const MAX_FILES = 10

const hidden = { hide: true }

const notFound = () => new AppError('not_found', 'Not found')

const textFile = (text: string, contentType: string, headers: Readonly<Record<string, string>> = {}) =>
  wholeFile(text, { 'content-type': contentType, 'cache-control': ASK_AGAIN, ...headers })

/** Each is built at its first request: all routes are registered by then, and the start stays fast. */
const FILES = {
  document: (routes: RouteTable) =>
    textFile(JSON.stringify(openApiDocument(routes.all())), 'application/json'),
  page: () => textFile(DOCS_PAGE, 'text/html; charset=utf-8', { 'content-security-policy': DOCS_POLICY }),
  initializer: () => textFile(DOCS_INITIALIZER, 'text/javascript; charset=utf-8'),
} as const

/** `GET /api/openapi.json`, and Swagger UI at `GET /api/docs` (contract: http.documentation). */
export function apiDocumentation({ assets }: Pick<Deps, 'assets'>, guard: SessionGuard, routes: RouteTable) {
  const fileOf = remembered(MAX_FILES, (name: keyof typeof FILES) => FILES[name](routes))
  const kept = new Map<string, WholeFile>()
  const assetOf = async (name: string): Promise<WholeFile> => {
    const known = kept.get(name)
    if (known) return known
    const asset = await assets.read(name)
    if (!asset) throw notFound()
    const headers = { 'content-type': asset.contentType, 'cache-control': KEEP_A_DAY }
    const file = await wholeFile(asset.bytes, headers)
    kept.set(name, file)
    return file
  }
  const answer = async (request: Request, name: keyof typeof FILES) => answerFile(request, await fileOf(name))

  return new Elysia({ name: 'http.openapi' })
    .use(guard)
    .get('/api/openapi.json', ({ request }) => answer(request, 'document'), { public: {}, detail: hidden })
    .get('/api/docs', ({ request }) => answer(request, 'page'), { public: {}, detail: hidden })
    .get('/api/docs/swagger-initializer.js', ({ request }) => answer(request, 'initializer'), {
      public: {},
      detail: hidden,
    })
    .get('/api/docs/:file', async ({ request, params }) => answerFile(request, await assetOf(params.file)), {
      public: {},
      detail: hidden,
    })
}
