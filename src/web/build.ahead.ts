import type { BuildMetafile } from 'bun'

type Outputs = BuildMetafile['outputs']

/** The output that a source came to lie in. @throws {Error} when there is none. */
export function outputOf(outputs: Outputs, source: string): string {
  const holds = ([, { inputs }]: [string, Outputs[string]]) =>
    Object.keys(inputs).some((path) => path.endsWith(`src/web/${source}`))
  const [path] = Object.entries(outputs).find(holds) ?? []
  if (path === undefined) throw new Error(`The build has no ${source}`)
  return path
}

/** An output and all that it cannot run without. */
function withImports(outputs: Outputs, path: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(path)) return found
  found.add(path)
  for (const each of outputs[path]?.imports ?? [])
    if (each.kind === 'import-statement') withImports(outputs, each.path, found)
  return found
}

/**
 * The files that show the page of an address, beside those that come with every page, by the first part of its path. Those of the
 * empty part are for every address that is not named, those of `sign-in` for its whole family.
 */
export function filesAhead(outputs: Outputs): Array<[place: string, files: string[]]> {
  const always = withImports(outputs, outputOf(outputs, 'main.tsx'))
  const beside = (...paths: readonly string[]) => {
    const all = paths.flatMap((path) => [...withImports(outputs, path)])
    return [...new Set(all)].filter((path) => !always.has(path)).map((path) => path.replace(/^\./, ''))
  }
  const frame = outputOf(outputs, 'app/Frame.tsx')
  const enter = beside(outputOf(outputs, 'sign-in/EnterPages.tsx'))
  const pages = Object.entries(outputs).flatMap(([path, { entryPoint = '' }]) => {
    const place = /src\/web\/([\w-]+)\/pages\.ts$/.exec(entryPoint)?.[1]
    return place === undefined ? [] : [[place, beside(frame, path)] as [string, string[]]]
  })
  return [['', beside(frame)], ['sign-in', enter], ...pages]
}
