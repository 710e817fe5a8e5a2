import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Serves the mutated sources in place of those of the tree, and test files that declare their tests to the collector instead of
 * Bun's runner.
 */
const ROOT = join(import.meta.dir, '../..')
const COLLECTOR = join(import.meta.dir, 'suite.ts')
const code: Record<string, string> = JSON.parse(readFileSync(process.env['MUTATION_CODE'] ?? '', 'utf8'))

const exactly = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')
const mutated = Object.keys(code).map((file) => exactly(join(ROOT, file)))
const tests = `${exactly(join(ROOT, 'tests'))}/(?!mutation/).*\\.ts`

Bun.plugin({
  name: 'mutants',
  setup: (build) => {
    build.onLoad({ filter: new RegExp(`^(?:${[tests, ...mutated].join('|')})$`) }, ({ path }) => ({
      loader: 'ts',
      contents:
        code[path.slice(ROOT.length + 1)] ??
        readFileSync(path, 'utf8').replace(/from 'bun:test'/g, `from '${COLLECTOR}'`),
    }))
  },
})
