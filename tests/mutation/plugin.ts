import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Serves the mutated sources in place of those of the tree, test files that declare their tests to the collector instead of Bun's
 * runner, and memories that hold nothing longer than one mutant is active, as it would stay in them.
 */
const ROOT = join(import.meta.dir, '../..')
const COLLECTOR = join(import.meta.dir, 'suite.ts')
const code: Record<string, string> = JSON.parse(readFileSync(process.env['MUTATION_CODE'] ?? '', 'utf8'))

const NOW = 'String([globalThis.__stryker__.activeMutant, globalThis.__stryker__.currentTestId])'
/** What the service remembers for ever is remembered for one mutant and one test: the line that does so, and what stands there. */
const MEMORIES: ReadonlyArray<readonly [file: string, line: string, becomes: string]> = [
  ['src/db/prepared.ts', 'const key = shape.join()', `const key = [${NOW}, ...shape].join()`],
  [
    'src/lib/remembered.ts',
    'const found = known.get(key)',
    `if (Reflect.get(known, 'since') !== ${NOW}) known.clear()
    Reflect.set(known, 'since', ${NOW})
    const found = known.get(key)`,
  ],
]
for (const [file, line, becomes] of MEMORIES) {
  const source = code[file] ?? readFileSync(join(ROOT, file), 'utf8')
  if (!source.includes(line)) throw new Error(`${file} remembers in another way`)
  code[file] = source.replace(line, becomes)
}

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
