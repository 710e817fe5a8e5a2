import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { pageQuery } from '../../../lib/wire/page'
import { line, pathId } from '../../../lib/wire/schema'

export const BlockPath = t.Object({ id: pathId('The block.') })

export const BlocksQuery = t.Object(pageQuery)
export type BlocksQuery = typeof BlocksQuery.static

export const NewBlock = t.Object({
  network_name: line({
    max: 32,
    description: 'The complete name, regardless of case.',
    examples: ['ada'],
  }),
})

export const BlockView = t.Object(
  {
    id: Type.Integer(),
    network_name: t.String({ description: 'The name of the blocked user at the time of the block.' }),
    created_at: t.String({ format: 'date-time' }),
  },
  { title: 'Block' },
)
export type BlockView = typeof BlockView.static

export const BlocksPage = t.Object({
  blocks: t.Array(BlockView),
  next_cursor: t.Nullable(t.String()),
})
export type BlocksPage = typeof BlocksPage.static
