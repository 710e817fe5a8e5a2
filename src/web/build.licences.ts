import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

const IN_A_PACKAGE = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/
const NOTICE = /^(licen[cs]e|notice|copying)/i

async function noticeOf(folder: string): Promise<string> {
  const { name, version, license }: { name: string; version: string; license: string } = JSON.parse(
    await readFile(join(folder, 'package.json'), 'utf8'),
  )
  const files = (await readdir(folder)).filter((file) => NOTICE.test(file)).toSorted()
  const texts = await Promise.all(
    files.map(async (file) => (await readFile(join(folder, file), 'utf8')).trim()),
  )
  return [`${name} ${version}, ${license}`, ...texts].join('\n\n')
}

/**
 * The notices of the packages that a bundle was made from, as their licences ask for: name, version and licence of each, and the
 * texts that it comes with. The inputs are paths from the folder.
 */
export async function licencesOf(inputs: readonly string[], folder: string): Promise<string> {
  const packages = new Set(inputs.flatMap((path) => IN_A_PACKAGE.exec(path)?.[0] ?? []))
  const notices = [...packages].toSorted().map((path) => noticeOf(join(folder, path)))
  return `${(await Promise.all(notices)).join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}
