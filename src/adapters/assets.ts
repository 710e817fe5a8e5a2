import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Assets } from '../lib/ports/assets'
import { remembered } from '../lib/remembered'

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
}

const readOnce = remembered(
  Object.keys(CONTENT_TYPES).length,
  async (name: string) =>
    new Uint8Array(await readFile(fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`)))),
)

/** Serves the files of Swagger UI from its package, each read once. No other file can be requested. */
export const swaggerUiAssets: Assets = {
  read: async (name) => {
    const contentType = Object.hasOwn(CONTENT_TYPES, name) ? CONTENT_TYPES[name] : undefined
    return contentType === undefined ? undefined : { bytes: await readOnce(name), contentType }
  },
}
