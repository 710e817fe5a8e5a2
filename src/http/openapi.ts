import { Elysia } from 'elysia'
import type { Deps } from '../deps'
import { AppError } from '../lib/errors'
import { openApiDocument } from './openapi.document'
import { DOCS_INITIALIZER, DOCS_PAGE, DOCS_POLICY } from './openapi.page'
import type { RouteTable } from './route-table'
import type { SessionGuard } from './session-guard'

const CACHE_A_DAY = 'public, max-age=86400'

const hidden = { hide: true }

/** `GET /api/openapi.json`, and Swagger UI at `GET /api/docs` (contract: http.documentation). */
export function apiDocumentation({ assets }: Pick<Deps, 'assets'>, guard: SessionGuard, routes: RouteTable) {
  let text: string | undefined
  /** Built when first asked for: the app is complete by then, and starting costs nothing. */
  const documentText = () => (text ??= JSON.stringify(openApiDocument(routes.all())))

  return new Elysia({ name: 'http.openapi' })
    .use(guard)
    .get('/api/openapi.json', () => respond(documentText(), 'application/json'), {
      public: {},
      detail: hidden,
    })
    .get(
      '/api/docs',
      () => respond(DOCS_PAGE, 'text/html; charset=utf-8', { 'content-security-policy': DOCS_POLICY }),
      { public: {}, detail: hidden },
    )
    .get(
      '/api/docs/swagger-initializer.js',
      () => respond(DOCS_INITIALIZER, 'text/javascript; charset=utf-8'),
      { public: {}, detail: hidden },
    )
    .get(
      '/api/docs/:file',
      async ({ params }) => {
        const asset = await assets.read(params.file)
        if (!asset) throw new AppError('not_found', 'Not found')
        return respond(asset.bytes, asset.contentType, { 'cache-control': CACHE_A_DAY })
      },
      { public: {}, detail: hidden },
    )
}

const respond = (body: BodyInit, contentType: string, headers: Record<string, string> = {}) =>
  new Response(body, { headers: { 'content-type': contentType, ...headers } })
