import { expect, test } from 'bun:test'
import { countedUntilSent } from '../../src/http/sending'

async function counted(response: Response) {
  let sent = 0
  const answer = await countedUntilSent(response, () => (sent += 1))
  return { answer, sent: () => sent }
}

const large = { text: 'x'.repeat(1_000_000) }

test('an answer without a body is sent at once', async () => {
  const { answer, sent } = await counted(new Response(null, { status: 204, headers: { 'x-a': 'b' } }))
  expect(sent()).toBe(1)
  expect([answer.status, answer.headers.get('x-a'), await answer.text()]).toEqual([204, 'b', ''])
})

test('a small JSON answer waits for nobody, and keeps its status, headers and bytes', async () => {
  const { answer, sent } = await counted(
    Response.json({ detail: 'x' }, { status: 201, headers: { etag: '"1"' } }),
  )
  expect(sent()).toBe(1)
  expect([answer.status, answer.headers.get('etag')]).toEqual([201, '"1"'])
  expect(await answer.text()).toBe('{"detail":"x"}')
})

test('a large answer counts until its reader has the last of it, and arrives byte for byte', async () => {
  const { answer, sent } = await counted(Response.json(large))
  const reader = answer.body?.getReader()
  const chunks: Uint8Array[] = []
  for (;;) {
    const piece = await reader?.read()
    if (!piece?.value) break
    expect(piece.value.byteLength).toBeLessThanOrEqual(65_536)
    chunks.push(piece.value)
    if (Buffer.concat(chunks).byteLength < 1_000_000) expect(sent()).toBe(0)
  }
  expect(sent()).toBe(1)
  expect(Buffer.concat(chunks).toString()).toBe(JSON.stringify(large))
})

test('a reader that goes away ends the counting, once', async () => {
  const { answer, sent } = await counted(Response.json(large))
  const reader = answer.body?.getReader()
  await reader?.read()
  await reader?.cancel()
  expect(sent()).toBe(1)
})

const streamed = (pull: (controller: ReadableStreamDefaultController) => void, cancel = () => {}) =>
  new Response(new ReadableStream({ pull, cancel }, { highWaterMark: 0 }), {
    headers: { 'content-type': 'text/calendar' },
  })

test('a stream counts until its end, and what made it hears of a reader that went away', async () => {
  let left = 3
  const whole = await counted(
    streamed((controller) => (left-- > 0 ? controller.enqueue(new Uint8Array([65])) : controller.close())),
  )
  expect(whole.sent()).toBe(0)
  expect(await whole.answer.text()).toBe('AAA')
  expect(whole.sent()).toBe(1)

  let isCancelled = false
  const broken = await counted(
    streamed(
      (controller) => controller.enqueue(new Uint8Array([65])),
      () => void (isCancelled = true),
    ),
  )
  await broken.answer.body?.cancel()
  expect([broken.sent(), isCancelled]).toEqual([1, true])
})

test('a stream that fails ends the counting, and its reader hears of it', async () => {
  const { answer, sent } = await counted(
    streamed(() => {
      throw new Error('the database is away')
    }),
  )
  expect(await answer.text().catch(() => 'failed')).toBe('failed')
  expect(sent()).toBe(1)
})
