import { Type } from '@sinclair/typebox'
import { t } from 'elysia'

const DeliveryView = t.Object({
  key: t.String({ description: 'Kind, id, occurrence and fire time; moving the item changes the key.' }),
  kind: t.Union([
    t.Literal('event'),
    t.Literal('birthday'),
    t.Literal('reminder'),
    t.Literal('todo'),
    t.Literal('project'),
    t.Literal('task'),
    t.Literal('connection'),
  ]),
  title: t.String(),
  fire_at: t.String({ format: 'date-time', description: 'When it came due.' }),
  sent_at: t.Union([t.String({ format: 'date-time' }), t.Null()]),
  attempts: Type.Integer({ minimum: 0 }),
  status: t.Union([t.Literal('pending'), t.Literal('sent'), t.Literal('failed')]),
  error: t.Union([t.String(), t.Null()], { description: 'Why the last attempt failed.' }),
})
export type DeliveryView = typeof DeliveryView.static

export const DeliveriesView = t.Object({ deliveries: t.Array(DeliveryView) })
