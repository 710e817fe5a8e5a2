import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Assets } from '../lib/ports/assets'

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
}

/** The files of Swagger UI in its package. No other file can be requested. */
export const swaggerUiAssets: Assets = {
  read: async (name) => {
    const contentType = Object.hasOwn(CONTENT_TYPES, name) ? CONTENT_TYPES[name] : undefined
    if (contentType === undefined) return undefined
    const path = fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`))
    return { bytes: new Uint8Array(await readFile(path)), contentType }
  },
}
