import { describe, test } from 'bun:test'

/**
 * `describe` and `test` for what needs a program that is not on every machine. Without it they are skipped, except in
 * continuous integration (`CI`), where its absence is a failure.
 */
export function needing(program: string, isInstalled: boolean) {
  if (!isInstalled) process.stderr.write(`NOT RUN: what needs ${program}, as it is not installed\n`)
  if (!isInstalled && process.env['CI']) {
    test(`${program} is installed in continuous integration`, () => {
      throw new Error(`${program} is not installed`)
    })
  }
  return { describe: describe.skipIf(!isInstalled), test: test.skipIf(!isInstalled) }
}
