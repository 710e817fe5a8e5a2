import { beforeAll, expect, test } from 'bun:test'
import { CANARY, type Secrets, secrets, showing } from '../../../support/private-events'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()
let scene: Secrets
beforeAll(async () => {
  scene = await secrets(h)
})

/** What says texts of events to those who may know them. */
const EVERYWHERE = [
  '/api/calendars/{id}/events',
  '/api/calendars/{id}/export',
  '/api/changes',
  '/api/changes/stream',
  '/api/dashboard',
  '/api/events',
  '/api/events/{id}',
  '/api/events/{id}/history',
  '/api/events/{id}/invitations',
  '/api/events/{id}/occurrences',
  '/api/export',
  '/api/operations',
  '/api/search',
]

test('the owner of a calendar reads the texts of its private events wherever texts of events are', async () => {
  expect(await showing(h, scene, scene.ada.token)).toEqual(EVERYWHERE)
})

test('no reading operation of the document says a text of a private event to a member of its calendar, or to who has its address', async () => {
  expect(await showing(h, scene, scene.bob.token)).toEqual([])
})

test('no refusal says a text of a private event to a member of its calendar', async () => {
  const { ada, bob, guest, id } = scene
  const { body } = await ada.request('GET', '/api/operations')
  const asked = [
    bob.change(id, { title: 'Mine' }),
    bob.remove(id),
    bob.invite(id, guest),
    ...body.operations.map((one: { id: string }) => bob.request('POST', `/api/operations/${one.id}/undo`)),
  ]
  const answers = await Promise.all(asked)
  expect(answers.map(({ status }) => status).filter((status) => status < 400)).toEqual([])
  expect(JSON.stringify(answers.map((answer) => answer.body))).not.toContain(CANARY)
})

test('a guest of a private event sees all of it, but nothing of the other events of the calendar', async () => {
  expect(await showing(h, scene, scene.guest.token)).toEqual([
    '/api/changes',
    '/api/changes/stream',
    '/api/dashboard',
    '/api/event-invitations',
    '/api/events',
    '/api/events/{id}',
    '/api/events/{id}/invitations',
    '/api/events/{id}/occurrences',
    '/api/export',
    '/api/notifications',
    '/api/search',
  ])
})
