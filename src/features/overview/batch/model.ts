import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { verbatim } from '../../../lib/wire/schema'
import { ChangesPage, ChangesQuery } from '../changes/model'

const PRINTABLE = '^[\\x20-\\x7e]*$'

const Command = t.Object({
  key: verbatim({
    max: 128,
    pattern: PRINTABLE,
    problem: 'must be 1 to 128 printable ASCII characters',
    description: 'Its `Idempotency-Key`.',
    examples: ['0b9e4c1e-7d0f-4c55-a8c4-0a2b5f9d6a11'],
  }),
  method: verbatim({ max: 10, description: '`POST`, `PUT`, `DELETE` or `GET`.', examples: ['POST'] }),
  path: verbatim({
    max: 2000,
    description:
      'Path and query. `{ref:name}` in it stands for the id of the record that the earlier command with `as: name` made.',
    examples: ['/api/projects/{ref:move}/tasks'],
  }),
  body: t.Optional(
    t.Unknown({ description: 'JSON. A text that is exactly `{ref:name}` stands for the id, as a number.' }),
  ),
  if_match: t.Optional(
    verbatim({ max: 1000, pattern: PRINTABLE, description: '`If-Match`.', examples: ['"1"'] }),
  ),
  as: t.Optional(
    verbatim({
      max: 64,
      pattern: '^[\\w.-]+$',
      problem: 'must consist of letters, digits, dots, hyphens and underscores',
      description: 'A name by which later commands refer to its record.',
      examples: ['move'],
    }),
  ),
})
export type Command = typeof Command.static

export const BatchBody = t.Object({
  commands: t.Array(Command, { minItems: 1, maxItems: 100 }),
  since: ChangesQuery.properties.since,
})
export type BatchBody = typeof BatchBody.static

const CommandResult = t.Object({
  key: t.String(),
  status: Type.Integer({ description: 'As if the command had come alone.' }),
  body: t.Unknown({ description: 'As if the command had come alone; null where it has none.' }),
})
export type CommandResult = typeof CommandResult.static

export const BatchView = t.Object({
  results: t.Array(CommandResult, { description: 'In the order of the commands.' }),
  changes: t.Optional(ChangesPage),
})
export type BatchView = typeof BatchView.static
