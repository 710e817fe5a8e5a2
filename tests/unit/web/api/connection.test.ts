import { expect, test } from 'bun:test'
import { connection, noteAnswer, noteNetworkLost } from '../../../../src/web/api/connection'

test('an answer to what was sent before the network was lost does not hide that it is lost', () => {
  const before = performance.now() - 1
  noteAnswer(new Response(), before)
  expect(connection.read().reach).toBe('online')
  noteNetworkLost()
  noteAnswer(new Response(), before)
  expect(connection.read().reach).toBe('offline')
  noteAnswer(new Response(), performance.now() + 1)
  expect(connection.read().reach).toBe('online')
})
