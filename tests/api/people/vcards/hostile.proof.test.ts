import { describe, expect, test } from 'bun:test'
import { vCards } from '../../../../src/adapters/vcard'
import { type Actor, startHarness } from '../../../support/harness'

const send = (actor: Actor, body: string | Uint8Array<ArrayBuffer>) =>
  actor.request('POST', '/api/people/import', { body, headers: { 'content-type': 'text/vcard' } })

const CARDS_IN_SLICE = 80

/** A clock by which that many cards are a slice, however busy the machine is; and the most that came without a pause. */
function inSlices() {
  let [passedMs, cards, longest] = [0, 0, 0]
  const count = <T>(card: T): T => {
    passedMs += 10 / CARDS_IN_SLICE
    longest = Math.max(longest, ++cards)
    return card
  }
  const clock = {
    // Time has to pass here, though the day stays the same.
    now: () => new Date('2026-03-04T09:30:00Z'),
    monotonic: () => passedMs,
    nextTurn: async () => {},
    sleep: async (ms: number) => {
      await Bun.sleep(ms)
      cards = 0
    },
  }
  const counted = {
    *read(file: Uint8Array) {
      for (const card of vCards.read(file)) yield count(card)
    },
  }
  return { deps: { clock, vCards: counted }, longest: () => longest }
}

describe('a hostile file', () => {
  const MIB = 1_048_576
  const fill = (head: string, piece: string, tail = '') =>
    head + piece.repeat(Math.floor((10 * MIB - head.length - tail.length) / piece.length)) + tail
  test.each([
    { why: 'one line of 10 MiB in a card', file: fill('BEGIN:VCARD\nFN:', 'x', '\nEND:VCARD\n') },
    { why: 'a card of continuations', file: fill('BEGIN:VCARD\nFN:A\n', ' \n', '\nEND:VCARD\n') },
    {
      why: 'cards of continuations',
      file: `BEGIN:VCARD\nFN:A\n${' \n'.repeat(520_000)}END:VCARD\n`.repeat(10),
    },
    {
      why: 'long heads that are continued',
      file: `BEGIN:VCARD\n${'A'.repeat(500_000)}\n${' \n'.repeat(250_000)}END:VCARD\n`.repeat(10),
    },
    {
      why: 'soft line breaks',
      file: `BEGIN:VCARD\nFN;QUOTED-PRINTABLE:\n${'=\n'.repeat(520_000)}END:VCARD\n`.repeat(10),
    },
    { why: 'quotes', file: `BEGIN:VCARD\nFN${';"'.repeat(500_000)}:A\nEND:VCARD\n`.repeat(10) },
    { why: 'backslashes', file: `BEGIN:VCARD\nN:${'\\'.repeat(1_000_000)}\nEND:VCARD\n`.repeat(10) },
    { why: 'separators', file: `BEGIN:VCARD\nFN:A\nADR:${';,'.repeat(500_000)}\nEND:VCARD\n`.repeat(10) },
    { why: 'nested cards', file: fill('', 'BEGIN:VCARD\nAGENT:\n') },
    {
      why: 'nested components',
      file: `BEGIN:VCARD\nFN:A\n${'BEGIN:X\n'.repeat(130_000)}END:VCARD\n`.repeat(10),
    },
    {
      why: 'cards of a thousand lines',
      file: `BEGIN:VCARD\nFN:A\n${'X:\n'.repeat(999)}END:VCARD\n`.repeat(3_000),
    },
    { why: 'cards without a name', file: `BEGIN:VCARD\nFN:\n${'X:\n'.repeat(60)}END:VCARD\n`.repeat(49_000) },
    { why: 'parameters', file: `BEGIN:VCARD\nFN;${'A=B;'.repeat(2000)}A=B:C\nEND:VCARD\n`.repeat(1000) },
    { why: 'control characters', file: `BEGIN:VCARD\nFN:\u0001\u001b\u007f\u2028\u2029\ufeff\nEND:VCARD\n` },
    {
      why: 'lone surrogates in UTF-16',
      file: new Uint8Array(Buffer.from('\ufeffBEGIN:VCARD\nFN:\ud800\nEND:VCARD\n', 'utf16le')),
    },
  ])(
    'is answered a slice at a time, and others in between: $why',
    async ({ file }) => {
      const slices = inSlices()
      await using timed = await startHarness({ deps: slices.deps })
      const [ada, eve] = [await timed.signedIn(), await timed.signedIn()]
      const answered = await send(ada, file)
      expect([200, 413, 422]).toContain(answered.status)
      const text: string = (await ada.request('GET', '/api/people/export')).body
      expect((await send(eve, text || 'x')).status).toBeLessThan(500)
      expect(slices.longest()).toBeLessThanOrEqual(CARDS_IN_SLICE)
    },
    30_000,
  )
})
