import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { $ } from 'bun'
import manifest from '../../package.json'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'organiser-hooks-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const { prepare, start } = manifest.scripts
const INSTALL = 'bun install'

/** The part of `bun run start` that installs. */
const [START_INSTALL = ''] = start.split(' && ')

/** A copy of the project that is nothing but its scripts, below a repository of its own. */
async function copy({ name, isClone = true }: { name: string; isClone?: boolean }) {
  const [repository, project] = [join(folder, name), join(folder, name, isClone ? '' : 'unpacked')]
  await mkdir(project, { recursive: true })
  await $`git init --quiet`.cwd(repository)
  await writeFile(join(project, 'package.json'), JSON.stringify({ name: 'copy', scripts: { prepare } }))
  return project
}

/** Answers the exit code of the command, and where git looks for hooks afterwards. */
async function hooksAfter(command: string, cwd: string, env: Record<string, string> = {}) {
  const { exitCode } = await $`sh -c ${command}`
    .cwd(cwd)
    .env({ ...process.env, NODE_ENV: '', ...env })
    .quiet()
    .nothrow()
  const hooks = await $`git config --local core.hooksPath`.cwd(cwd).quiet().nothrow()
  return { exitCode, hooks: hooks.text().trim() }
}

test('who installs in a clone gets the hooks', async () => {
  expect(await hooksAfter(INSTALL, await copy({ name: 'clone' }))).toEqual({
    exitCode: 0,
    hooks: '.githooks',
  })
})

test('who only starts the service in a clone gets none', async () => {
  expect(await hooksAfter(START_INSTALL, await copy({ name: 'start' }))).toEqual({ exitCode: 0, hooks: '' })
})

test('an installation for production sets none', async () => {
  const project = await copy({ name: 'production' })
  expect(await hooksAfter(INSTALL, project, { NODE_ENV: 'production' })).toEqual({ exitCode: 0, hooks: '' })
})

test('a copy within the repository of something else leaves that alone', async () => {
  const project = await copy({ name: 'other', isClone: false })
  expect(await hooksAfter(INSTALL, project)).toEqual({ exitCode: 0, hooks: '' })
})
