import { join } from 'node:path'

const HERE = join(import.meta.dir, '../../src/web/styles/tokens.css')
const PAIR = /--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g

/** The colours of the style sheet by name, in both schemes. */
export async function colourTokens() {
  const tokens = [...(await Bun.file(HERE).text()).matchAll(PAIR)]
  const scheme = (place: 2 | 3) => new Map(tokens.map((token) => [token[1] ?? '', token[place] ?? '']))
  return { light: scheme(2), dark: scheme(3) }
}
