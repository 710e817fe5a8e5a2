import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Assets } from '../lib/ports/assets'

/** The folder that `src/web/build.ts` writes. */
export const WEB_CLIENT = fileURLToPath(new URL('../../.web', import.meta.url))

/** Files by name, each with the endings of its compressed variants. */
const Files = Type.Record(Type.String(), Type.Array(Type.String()))
const ClientBuild = Type.Object({
  inputs: Type.String({ description: 'A digest of everything that the build was made from.' }),
  files: Files,
  previous: Files,
})
export type ClientBuild = Type.Static<typeof ClientBuild>

/** The record of the last build; undefined when there is none. */
export async function readClientBuild(): Promise<ClientBuild | undefined> {
  const text = await readFile(join(WEB_CLIENT, 'build.json'), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const value: unknown = JSON.parse(text)
  return Value.Check(ClientBuild, value) ? value : undefined
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
  webmanifest: 'application/manifest+json',
}

const ENDINGS = { br: 'br', gzip: 'gz' } as const

const bytesOf = async (name: string) => new Uint8Array(await readFile(join(WEB_CLIENT, name)))

/** The built web client. Only files that the build's record names can be requested. */
export const webAssets: Assets = {
  read: async (name, encoding) => {
    const build = await readClientBuild()
    const endings = build?.files[name] ?? build?.previous[name]
    const contentType = CONTENT_TYPES[name.slice(name.lastIndexOf('.') + 1)]
    if (endings === undefined || contentType === undefined) return undefined
    const ending = encoding && ENDINGS[encoding]
    if (encoding === undefined || ending === undefined || !endings.includes(ending)) {
      return { bytes: await bytesOf(name), contentType }
    }
    return { bytes: await bytesOf(`${name}.${ending}`), contentType, encoding }
  },
}
