import swaggerUi from 'swagger-ui-dist/package.json' with { type: 'json' }

/** Adds the release to the URLs of its files, so that browsers may cache them. */
const VERSION = `?v=${swaggerUi.version}`

/** Swagger UI for our own document, without its top bar and without any request to another host. */
export const DOCS_INITIALIZER = `SwaggerUIBundle({
  url: '/api/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  validatorUrl: null,
})
`

export const DOCS_PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Organiser API</title>
    <link rel="icon" type="image/png" href="/api/docs/favicon-32x32.png${VERSION}">
    <link rel="stylesheet" href="/api/docs/swagger-ui.css${VERSION}">
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="/api/docs/swagger-ui-bundle.js${VERSION}"></script>
    <script src="/api/docs/swagger-initializer.js"></script>
  </body>
</html>
`

/** Allows the page to load its own files and call its own service, nothing else; forbids framing. */
export const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')
