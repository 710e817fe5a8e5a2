const ROOT = new URL('../../', import.meta.url)

/** The documents whose blocks and tables the tests run and compare. */
const DOCUMENTS = {
  readme: 'README.md',
  deployment: 'src/deploy/README.md',
  recipes: 'src/deploy/recipes/README.md',
} as const
type Document = keyof typeof DOCUMENTS

/** A file of the project, by its path below the root. */
export const fileText = (path: string): Promise<string> => Bun.file(new URL(path, ROOT)).text()

export const documentText = (document: Document): Promise<string> => fileText(DOCUMENTS[document])

/** The one fenced block whose info string is exactly `info`, for example 'sh first account'. */
export async function blockOf(document: Document, info: string): Promise<string> {
  return blockIn(await documentText(document), info, DOCUMENTS[document])
}

/** The same of a text, which `name` says. */
export function blockIn(text: string, info: string, name: string): string {
  const fences = text.matchAll(/^```(\S.*)\n([\s\S]*?)^```$/gm)
  const [block, ...more] = [...fences].filter((fence) => fence[1] === info)
  if (block?.[2] === undefined || more.length > 0)
    throw new Error(`${name} must have one block \`\`\`${info}`)
  return block[2]
}

/** Replaces every occurrence; a text that is not there is an error, so that no substitution outlives what it is for. */
export function substitute(text: string, substitutions: Readonly<Record<string, string>>): string {
  return Object.entries(substitutions).reduce((result, [from, to]) => {
    if (!result.includes(from)) throw new Error(`nothing to substitute: ${from}`)
    return result.replaceAll(from, to)
  }, text)
}
