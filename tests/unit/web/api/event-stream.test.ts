import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { EventReader } from '../../../../src/web/api/event-stream'

const TEXT =
  'retry: 2000\n\nevent: ready\ndata: {}\n\n:\n\nevent: changes\nid: x\ndata: {"a":\ndata: 1}\n\nevent: end\ndata: {"re'

test('events are read whole, however the stream is cut; comments and what is unfinished are none', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: TEXT.length })), (cuts) => {
      const places = [0, ...cuts.toSorted((one, other) => one - other), TEXT.length]
      const reader = new EventReader()
      const events = places.slice(1).flatMap((place, index) => reader.read(TEXT.slice(places[index], place)))
      expect(events).toEqual([
        { name: 'ready', data: '{}' },
        { name: 'changes', data: '{"a":\n1}' },
      ])
    }),
  )
})
