import { join } from 'node:path'
import { Instrumenter } from '@stryker-mutator/instrumenter'

const ROOT = join(import.meta.dir, '../..')

export interface Position {
  readonly line: number
  readonly column: number
}

/** One change to one file of the service. */
export interface Mutant {
  readonly id: string
  readonly file: string
  readonly start: Position
  readonly end: Position
  readonly operator: string
  /** The code that it changes and the code that stands there instead, each on one line. */
  readonly code: string
  readonly becomes: string
  /** The whole line on which it begins, without its indentation. */
  readonly line: string
}

/** A mutant that no test can kill, as nothing that anybody could see differs. */
export interface Explained {
  readonly file: string
  /** The line on which it begins. */
  readonly line: string
  readonly code: string
  readonly becomes: string
  readonly why: string
}

const silent = () => {}
const LOGGER = {
  isTraceEnabled: () => false,
  isDebugEnabled: () => false,
  isInfoEnabled: () => false,
  isWarnEnabled: () => false,
  isErrorEnabled: () => false,
  isFatalEnabled: () => false,
  trace: silent,
  debug: silent,
  info: silent,
  warn: silent,
  error: silent,
  fatal: silent,
}

export const filesOf = (patterns: readonly string[]): string[] =>
  [...new Set(patterns.flatMap(filesLike))].toSorted()

/** @throws {Error} where there is none. Bun finds none by braces with slashes in them. */
function filesLike(pattern: string): string[] {
  const found = [...new Bun.Glob(pattern).scanSync(ROOT)]
  if (found.length === 0) throw new Error(`No file is like ${pattern}`)
  return found
}

type Ignorer = Parameters<Instrumenter['instrument']>[1]['ignorers'][number]

/** Drizzle wants a name for each statement that is prepared; the service sends statements without one. */
const STATEMENT_NAMES: Ignorer = {
  shouldIgnore: (path) => {
    const { node, parent } = path as unknown as Placed
    const isName = node.type === 'StringLiteral' && parent?.callee?.property?.name === 'prepare'
    return isName ? 'the name of a statement' : undefined
  },
}
interface Placed {
  readonly node: { readonly type: string }
  readonly parent?: { readonly callee?: { readonly property?: { readonly name?: string } } }
}

const onOneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

const isBefore = (one: Position, other: Position) =>
  one.line < other.line || (one.line === other.line && one.column <= other.column)

/** Whether a mutant changes code within that which another changes. */
export const isWithin = (inner: Mutant, outer: Mutant): boolean =>
  inner !== outer &&
  inner.file === outer.file &&
  isBefore(outer.start, inner.start) &&
  isBefore(inner.end, outer.end)

function between(lines: readonly string[], start: Position, end: Position): string {
  const taken = lines.slice(start.line, end.line + 1)
  const last = taken.length - 1
  return taken
    .map((line, index) => line.slice(index === 0 ? start.column : 0, index === last ? end.column : undefined))
    .join('\n')
}

/** The mutants of some files, and for each file the code that holds all of them, each to be switched on. */
export async function mutantsOf(files: readonly string[]) {
  const sources = new Map(
    await Promise.all(files.map(async (file) => [file, await Bun.file(join(ROOT, file)).text()] as const)),
  )
  const { files: instrumented, mutants } = await new Instrumenter(LOGGER).instrument(
    [...sources].map(([name, content]) => ({ name, content, mutate: true })),
    { plugins: null, excludedMutations: [], ignorers: [STATEMENT_NAMES] },
  )
  const made = mutants.filter(({ status }) => status !== 'Ignored')
  return {
    code: Object.fromEntries(instrumented.map(({ name, content }) => [name, content])),
    mutants: made.map(({ id, fileName, location: { start, end }, mutatorName, replacement }): Mutant => {
      const lines = (sources.get(fileName) ?? '').split('\n')
      return {
        id,
        file: fileName,
        start,
        end,
        operator: mutatorName,
        code: onOneLine(between(lines, start, end)),
        becomes: onOneLine(replacement),
        line: (lines[start.line] ?? '').trim(),
      }
    }),
  }
}
