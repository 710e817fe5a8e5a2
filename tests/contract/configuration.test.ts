import { expect, test } from 'bun:test'
import { Environment } from '../../src/config'
import { documentText } from '../support/readme'

const EXAMPLE = new URL('../../.env.example', import.meta.url)

/** Every variable as config.ts declares it; '' where it has no fixed default. */
const variables = Object.entries(Environment.properties).map(([name, schema]) => ({
  name,
  fallback: 'default' in schema ? String(schema.default) : '',
  meaning: String(Reflect.get(schema, 'description')),
}))

const codeOrDash = (text: string) => (text === '' ? '–' : `\`${text}\``)

test("the deployment guide's table of the configuration says what config.ts says", async () => {
  const section = (await documentText('deployment'))
    .split(/^## /m)
    .find((part) => part.startsWith('Configuration\n'))
  const rows = (section ?? '')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    )
  expect(rows[0]).toEqual(['Variable', 'Default', 'Meaning'])
  expect(rows.slice(2)).toEqual(
    variables.map(({ name, fallback, meaning }) => [`\`${name}\``, codeOrDash(fallback), meaning]),
  )
})

test('.env.example names every variable with its default and what it is for', async () => {
  const expected = variables.map(({ name, fallback, meaning }) => `# ${meaning}\n# ${name}=${fallback}\n`)
  const [heading, ...entries] = (await Bun.file(EXAMPLE).text()).split(/\n(?=# .*\n# [A-Z_]+=)/)
  expect(heading).toStartWith('# ')
  expect(entries.map((entry) => `${entry.trimEnd()}\n`)).toEqual(expected)
})
