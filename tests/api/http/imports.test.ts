import { describe, expect, test } from 'bun:test'
import { useHarness } from '../../support/use-harness'

const IMPORT = '/api/people/import'
const LIMIT = 10_485_760
const CARD = 'BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Ada\r\nEND:VCARD\r\n'
const h = useHarness()

const vcard = { 'content-type': 'text/vcard' }
const chunked = (text: string) => new Blob([text]).stream()

describe('the body of an import', () => {
  test('is the media type that the operation names, whatever its parameters and case', async () => {
    const ada = await h.signedIn()
    for (const type of ['text/vcard', 'Text/VCARD; charset=utf-8', 'text/vcard;version=4.0']) {
      const answered = await ada.request('POST', IMPORT, { body: CARD, headers: { 'content-type': type } })
      expect([type, answered.status]).toEqual([type, 200])
    }
    for (const type of ['application/json', 'text/plain', 'text/calendar', 'text/x-vcard', '']) {
      const answered = await ada.request('POST', IMPORT, { body: CARD, headers: { 'content-type': type } })
      expect([type, answered.status, answered.body]).toEqual([
        type,
        415,
        { detail: 'Content-Type must be text/vcard' },
      ])
    }
    expect((await ada.request('POST', IMPORT)).status).toBe(415)
    expect((await ada.request('POST', '/api/people', { body: CARD, headers: vcard })).body).toEqual({
      detail: 'Content-Type must be application/json',
    })
  })

  test('may have 10 MiB, and no operation but an import more than 1 MiB', async () => {
    const ada = await h.signedIn()
    const full = `${CARD}${' '.repeat(LIMIT - CARD.length)}`
    for (const body of [full, chunked(full)]) {
      expect((await ada.request('POST', IMPORT, { body, headers: vcard })).status).toBe(200)
    }
    for (const body of [`${full} `, chunked(`${full} `)]) {
      expect(await ada.request('POST', IMPORT, { body, headers: vcard })).toMatchObject({
        status: 413,
        body: { detail: 'Request body too large' },
      })
    }
    const json = `{"nickname":"${'x'.repeat(1_048_576)}"}`
    expect((await ada.request('POST', '/api/people', { body: json })).status).toBe(413)
  })

  test('is judged by its size, then the origin, then the session, then its type', async () => {
    const headers = { ...vcard, origin: 'https://evil.example' }
    const tooLarge = ' '.repeat(LIMIT + 1)
    expect((await h.request('POST', IMPORT, { body: tooLarge, headers })).status).toBe(413)
    expect((await h.request('POST', IMPORT, { body: CARD, headers })).status).toBe(403)
    expect((await h.request('POST', IMPORT, { body: CARD, headers: { 'content-type': 'x/y' } })).status).toBe(
      401,
    )
    const ada = await h.signedIn()
    const wrong = await ada.request('POST', `${IMPORT}?dry_run=maybe`, { body: CARD })
    expect(wrong.status).toBe(415)
  })

  test('stands in the document under its media type, as the export does', async () => {
    const { body } = await h.request('GET', '/api/openapi.json')
    const { post } = body.paths[IMPORT]
    expect(post.requestBody).toEqual({
      required: true,
      content: { 'text/vcard': { schema: expect.objectContaining({ type: 'string' }) } },
    })
    expect(Object.keys(body.paths['/api/people/export'].get.responses['200'].content)).toEqual(['text/vcard'])
  })
})

test('an import ends within 60 s, where everything else ends within 10', async () => {
  const ada = await h.signedIn()
  const bodies: ReadableStreamDefaultController<Uint8Array>[] = []
  /** Resolves once the service reads the body, and so knows whether it is one of an import. */
  const send = async (path: string, type: string) => {
    const isRead = Promise.withResolvers<void>()
    const body = new ReadableStream<Uint8Array>(
      { start: (controller) => void bodies.push(controller), pull: () => isRead.resolve() },
      { highWaterMark: 0 },
    )
    const answer = ada.request('POST', path, { body, headers: { 'content-type': type } })
    await isRead.promise
    return { answer }
  }
  const { answer: slow } = await send(IMPORT, 'text/vcard')
  const { answer: slower } = await send(IMPORT, 'text/vcard')
  const { answer: other } = await send('/api/people', 'application/json')
  h.clock.advance({ seconds: 10 })
  // Whatever had to end by then has ended when this has.
  expect((await other).status).toBe(503)
  bodies[0]?.enqueue(new TextEncoder().encode(CARD))
  bodies[0]?.close()
  expect((await slow).status).toBe(200)
  h.clock.advance({ seconds: 50 })
  expect((await slower).status).toBe(503)
})
