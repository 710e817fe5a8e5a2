const README = new URL('../../README.md', import.meta.url)

export const readme = (): Promise<string> => Bun.file(README).text()

/** The one fenced block whose info string is exactly `info`, for example 'yaml compose.yaml'. */
export async function readmeBlock(info: string): Promise<string> {
  const fences = (await readme()).matchAll(/^```(\S.*)\n([\s\S]*?)^```$/gm)
  const [block, ...more] = [...fences].filter((fence) => fence[1] === info)
  if (block?.[2] === undefined || more.length > 0)
    throw new Error(`README.md must have one block \`\`\`${info}`)
  return block[2]
}

/** Replaces every occurrence; a text that is not there is an error, so that no substitution outlives what it is for. */
export function substitute(text: string, substitutions: Readonly<Record<string, string>>): string {
  return Object.entries(substitutions).reduce((result, [from, to]) => {
    if (!result.includes(from)) throw new Error(`nothing to substitute: ${from}`)
    return result.replaceAll(from, to)
  }, text)
}
