import { readFile } from 'node:fs/promises'
import { SaxesParser } from 'saxes'

interface Failure {
  readonly file: string
  readonly name: string
  /** What the test said. */
  readonly text: string
}

export interface Report {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly failures: readonly Failure[]
  readonly files: ReadonlyArray<{ readonly file: string; readonly seconds: number }>
}

/** A runner that died before it wrote its report counts as a failure. */
const NONE: Report = { passed: 0, failed: 1, skipped: 0, failures: [], files: [] }

interface Element {
  readonly tag: string
  readonly attributes: Readonly<Record<string, string>>
  /** Attributes of the test that it stands in or begins. */
  readonly test: Readonly<Record<string, string>>
}

function elementsOf(xml: string): readonly Element[] {
  const elements: Element[] = []
  let test: Element['test'] = {}
  const parser = new SaxesParser()
  parser.on('opentag', ({ name: tag, attributes }) => {
    if (tag === 'testcase') test = attributes
    elements.push({ tag, attributes, test })
  })
  parser.write(xml).close()
  return elements
}

const sum = (elements: readonly Element[], name: string): number =>
  elements.reduce((total, { attributes }) => total + Number(attributes[name] ?? 0), 0)

/** What a JUnit report of Bun says. Bun counts each hook of what is skipped as a skipped test without a name. */
export async function readReport(path: string): Promise<Report> {
  const xml = await readFile(path, 'utf8').catch(() => '')
  if (!xml.includes('</testsuites>')) return NONE
  const elements = elementsOf(xml)
  const named = (...tags: string[]) => elements.filter(({ tag }) => tags.includes(tag))
  const root = named('testsuites')
  const failed = sum(root, 'failures') + sum(root, 'errors')
  const skipped = sum(root, 'skipped')
  const hooks = named('skipped').filter(({ test }) => test['name'] === '(unnamed)')
  return {
    passed: sum(root, 'tests') - failed - skipped,
    failed,
    skipped: skipped - hooks.length,
    failures: named('failure', 'error').map(({ test, attributes }) => ({
      file: test['file'] ?? '',
      name: test['name'] ?? '',
      text: attributes['message'] ?? '',
    })),
    // The suite of a file has its name; a `describe` in it is another.
    files: named('testsuite').flatMap(({ attributes: { file = '', name, time } }) =>
      file === name ? [{ file, seconds: Number(time) }] : [],
    ),
  }
}
