import { expect, test } from 'bun:test'
import { connection, networkLosses, noteAnswer, noteNetworkLost } from '../../../../src/web/api/connection'

test('an answer to what was sent before the network was lost does not hide that it is lost', () => {
  const before = networkLosses()
  noteAnswer(new Response(), before)
  expect(connection.read().reach).toBe('online')
  noteNetworkLost()
  noteAnswer(new Response(), before)
  expect(connection.read().reach).toBe('offline')
  noteAnswer(new Response(), networkLosses())
  expect(connection.read().reach).toBe('online')
})
