import { expect, setDefaultTimeout, test } from 'bun:test'
import { assistantOf } from '../support/assistants'
import { createEvent } from '../support/events'
import { sharedWith } from '../support/sharing'
import { useHarness } from '../support/use-harness'

setDefaultTimeout(60_000)
const h = useHarness()

const DAY = { from: '2026-03-05', to: '2026-03-06', minutes: 60, hours: { from: '09:00', to: '11:00' } }

test('“find an hour with Ada on Thursday morning” says who is free', async () => {
  const { ada, bob, calendar } = await sharedWith(h, 'read')
  await createEvent(ada, {
    title: 'Secret',
    start_at: '2026-03-05T09:00',
    end_at: '2026-03-05T10:00',
    calendar_id: calendar.id,
  })
  const assistant = await assistantOf(h, bob)
  const { body, text, isError } = await assistant.call('find_time', { ...DAY, with: [ada.row.id] })
  expect(isError).toBe(false)
  expect(body.time_zone).toBe('Europe/Berlin')
  expect(body.proposals[0]).toEqual({
    from: '2026-03-05T10:00:00+01:00',
    to: '2026-03-05T11:00:00+01:00',
    weekday: 'Thursday',
    free: [bob.row.id, ada.row.id],
    busy: [],
    unknown: [],
  })
  expect(text).toContain(
    `Thursday 2026-03-05T10:00:00+01:00 to 2026-03-05T11:00:00+01:00: free ${bob.row.networkName}, ${ada.row.networkName}`,
  )
  expect(JSON.stringify([text, body])).not.toContain('Secret')
})

test('proposals for many people are told within 8 kB', async () => {
  const assistant = await assistantOf(h, await h.signedIn())
  const { body, bytes } = await assistant.call('find_time', {
    from: '2026-03-05',
    to: '2026-03-20',
    minutes: 30,
  })
  expect(body.proposals).toHaveLength(20)
  expect(bytes).toBeLessThanOrEqual(8192)
})

test('a stranger, and a span that is too long, are refused as the API refuses them', async () => {
  const [actor, stranger] = [await h.signedIn(), await h.signedIn()]
  const assistant = await assistantOf(h, actor)
  const refusal = async (args: Record<string, unknown>) => {
    const { isError, text } = await assistant.call('find_time', { ...DAY, ...args })
    const answered = await actor.request('POST', '/api/free-busy', { body: { ...DAY, ...args } })
    expect(isError).toBe(true)
    expect(answered.status).toBeGreaterThanOrEqual(400)
    expect(text).toBe(answered.body.detail)
  }
  await refusal({ with: [stranger.row.id] })
  await refusal({ to: '2028-01-01' })
})
