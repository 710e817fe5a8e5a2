import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import type { BuildMetafile, BunPlugin } from 'bun'
import { type ClientBuild, readClientBuild, WEB_CLIENT } from '../adapters/web-assets'
import { SERVICE_ADDRESSES } from '../lib/wire/service-addresses'
import { filesAhead, outputOf } from './build.ahead'
import { licencesOf } from './build.licences'

/**
 * Builds the web client into a folder that Git ignores, unless its inputs are those of the last build. It runs in a process
 * of its own, because the bundler keeps its memory. The files of the build before stay, so that an open tab keeps working
 * (contract: web.builds). `--gallery FOLDER` builds the gallery of parts instead.
 */
const HERE = import.meta.dir
const ROOT = join(HERE, '../..')
/** Below this size, compression saves less than a packet. */
const WORTH_COMPRESSING_BYTES = 1000
const TEXT = /\.(js|css|html|svg|txt|webmanifest)$/

/** The languages of React Aria's own texts that the client speaks; every other one is left out of the bundle. */
const LANGUAGES = /\/intl\/[^/]+\/(?!en-US|de-DE)[a-z]{2,3}-[A-Z]{2}\.mjs$/
const onlyOurLanguages: BunPlugin = {
  name: 'only-our-languages',
  setup: (build) => {
    build.onLoad({ filter: LANGUAGES }, () => ({ contents: 'export default {}', loader: 'js' }))
  },
}

async function inputsDigest(): Promise<string> {
  const files = [...new Bun.Glob('**/*').scanSync({ cwd: HERE })].toSorted()
  const hash = createHash('sha256').update(Bun.version)
  for (const file of files) hash.update(`\n${file}\n`).update(await readFile(join(HERE, file)))
  return hash
    .update(await readFile(join(ROOT, 'bun.lock')))
    .update(await readFile(join(HERE, '../adapters/web-assets.ts')))
    .update(SERVICE_ADDRESSES.source)
    .digest('hex')
}

interface Entries {
  readonly scripts: readonly string[]
  readonly style: string
}

/** What all builds have in common, but for the worker's. */
const COMMON = {
  root: HERE,
  minify: true,
  naming: { entry: 'assets/[name]-[hash].[ext]', chunk: 'assets/chunk-[hash].[ext]' },
} as const

type Outputs = BuildMetafile['outputs']

interface Bundled {
  readonly files: Map<string, Uint8Array>
  /** What the scripts came to lie in. */
  readonly outputs: Outputs
}

async function bundle(entries: Entries, aheadOf: (outputs: Outputs) => object): Promise<Bundled> {
  const scripts = await Bun.build({
    ...COMMON,
    entrypoints: entries.scripts.map((name) => join(HERE, name)),
    target: 'browser',
    splitting: true,
    // A request costs more than what a page could do without.
    minChunkSize: 16_384,
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [onlyOurLanguages],
    metafile: true,
  })
  const { inputs = {}, outputs = {} } = scripts.metafile ?? {}
  const first = await Bun.build({
    ...COMMON,
    entrypoints: [join(HERE, 'first.ts')],
    target: 'browser',
    define: { AHEAD: JSON.stringify(aheadOf(outputs)) },
  })
  // Bun's browser target would rewrite logical properties and `light-dark()` for browsers of 2020 (bun#40133).
  const styles = await Bun.build({ ...COMMON, entrypoints: [join(HERE, entries.style)], target: 'bun' })
  const built = [scripts, first, styles].flatMap((each) => each.outputs)
  const files = built.map(
    async (output) => [nameOf(output.path), new Uint8Array(await output.arrayBuffer())] as const,
  )
  return { files: new Map([...(await Promise.all(files)), await licences(Object.keys(inputs))]), outputs }
}

/** A file that minifying the packages' own notices away makes necessary; the page links to it. */
async function licences(inputs: readonly string[]): Promise<readonly [string, Uint8Array]> {
  const text = await licencesOf(inputs, process.cwd())
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 8)
  return [`assets/licences-${digest}.txt`, new TextEncoder().encode(text)]
}

const nameOf = (path: string) => path.replace(/^\.\//, '')

/** The page that every address of the client answers with; `start` is the file that it begins with, if there is one. */
async function shell(names: readonly string[], build: string, start?: string): Promise<string> {
  const named = (begin: string, end: string) => {
    const name = names.find((each) => basename(each).startsWith(`${begin}-`) && each.endsWith(end))
    if (name === undefined) throw new Error(`The build has no ${begin}${end}`)
    return `/${name}`
  }
  const page = await readFile(join(HERE, 'shell.html'), 'utf8')
  return page
    .replaceAll('%main.css%', named('main', '.css'))
    .replaceAll('%build%', build)
    .replaceAll('%first.js%', named('first', '.js'))
    .replace('%start.js%', start ?? named('main', '.js'))
    .replaceAll('%main.js%', named('main', '.js'))
    .replaceAll('%licences.txt%', named('licences', '.txt'))
}

/** The service worker, which knows the files of its build, and the one that takes its place where it is turned off. */
async function workers(
  names: readonly string[],
  build: string,
): Promise<ReadonlyArray<readonly [string, Uint8Array]>> {
  const { outputs } = await Bun.build({
    entrypoints: [join(HERE, 'service-worker/worker.ts'), join(HERE, 'service-worker/worker.off.ts')],
    target: 'browser',
    format: 'iife',
    minify: true,
    define: {
      BUILD: JSON.stringify(build),
      FILES: JSON.stringify(names.filter((name) => !name.endsWith('.txt')).map((name) => `/${name}`)),
      SERVICE: JSON.stringify(SERVICE_ADDRESSES.source),
    },
  })
  return Promise.all(
    ['sw.js', 'sw-off.js'].map(
      async (name, at) => [name, new Uint8Array((await outputs[at]?.arrayBuffer()) ?? [])] as const,
    ),
  )
}

const compressed = (bytes: Uint8Array) => ({
  br: brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
  // It takes longer than zlib, and makes files of text about 4 % smaller.
  gz: Bun.gzipSync(new Uint8Array(bytes), { library: 'libdeflate', level: 12 }),
})

/** Writes a file so that a reader sees all of it or none. */
async function writeWhole(name: string, content: string | Uint8Array, folder = WEB_CLIENT): Promise<void> {
  const path = join(folder, name)
  const beside = `${path}.${process.pid}`
  await mkdir(join(path, '..'), { recursive: true })
  await writeFile(beside, content)
  await rename(beside, path)
}

async function write(files: ReadonlyMap<string, Uint8Array>): Promise<ClientBuild['files']> {
  const written: Record<string, string[]> = {}
  for (const [name, bytes] of files) {
    await writeWhole(name, bytes)
    const variants =
      TEXT.test(name) && bytes.length > WORTH_COMPRESSING_BYTES ? Object.entries(compressed(bytes)) : []
    for (const [ending, content] of variants) await writeWhole(`${name}.${ending}`, content)
    written[name] = variants.map(([ending]) => ending)
  }
  return written
}

async function removeStale({ files, previous }: ClientBuild): Promise<void> {
  const kept = Object.entries({ ...previous, ...files }).flatMap(([name, endings]) => [
    name,
    ...endings.map((ending) => `${name}.${ending}`),
  ])
  for (const name of new Bun.Glob('assets/*').scanSync({ cwd: WEB_CLIENT })) {
    if (!kept.includes(name)) await rm(join(WEB_CLIENT, name), { force: true })
  }
}

async function buildClient(): Promise<void> {
  const inputs = await inputsDigest()
  const last = await readClientBuild()
  if (last?.inputs === inputs) return
  const { files: bundled, outputs } = await bundle(
    { scripts: ['start.ts', 'main.tsx'], style: 'styles/main.css' },
    filesAhead,
  )
  // Of the entry itself the bundler leaves a line that imports what two entries share.
  const start = nameOf(outputOf(outputs, 'start.ts'))
  for (const name of bundled.keys()) if (basename(name).startsWith('start-')) bundled.delete(name)
  const icons = [...new Bun.Glob('icons/*').scanSync({ cwd: HERE })]
  for (const name of [...icons, 'manifest.webmanifest'])
    bundled.set(name, new Uint8Array(await readFile(join(HERE, name))))
  const [names, build] = [[...bundled.keys()], inputs.slice(0, 16)]
  const page = new TextEncoder().encode(await shell(names, build, `/${start}`))
  const files = await write(new Map([...bundled, ...(await workers(names, build)), ['shell.html', page]]))
  // Only files whose name tells their content can outlive their build.
  const outliving = Object.entries(last?.files ?? {}).filter(([name]) => name.startsWith('assets/'))
  const built: ClientBuild = { inputs, files, previous: Object.fromEntries(outliving) }
  await writeWhole('build.json', JSON.stringify(built))
  await removeStale(built)
}

/** The gallery shows every part in every state. Tests alone open it, from a folder that the service does not serve. */
async function buildGallery(folder: string): Promise<void> {
  const entries = { scripts: ['gallery/main.tsx'], style: 'gallery/main.css' }
  const { files: bundled } = await bundle(entries, () => [])
  const page = await shell([...bundled.keys()], 'gallery')
  for (const [name, content] of [...bundled, ['shell.html', page] as const])
    await writeWhole(name, content, folder)
}

const [, , argument, folder] = process.argv
if (argument === '--gallery' && folder !== undefined) await buildGallery(folder)
else await buildClient()
