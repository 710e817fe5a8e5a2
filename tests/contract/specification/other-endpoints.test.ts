import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { notifications } from '../../../src/db/schema'
import { send, sociable } from '../../support/connecting'
import { type Harness } from '../../support/harness'
import { fakeOpenMeteo } from '../../support/open-meteo'
import { answerOf, rawServer } from '../../support/raw-server'
import { startUnlimited } from './acting'

const provider = fakeOpenMeteo()
let h: Harness
beforeAll(async () => {
  h = await startUnlimited({ env: { ...provider.env, NTFY_ALLOW_PRIVATE: 'true' } })
})
afterAll(async () => {
  await h[Symbol.asyncDispose]()
  await provider[Symbol.asyncDispose]()
})

describe('4.10 Other endpoints named', () => {
  test('GET /api/weather/search: geocoding search for a location; several candidates with state and country detail', async () => {
    const ada = await h.signedIn()
    const { status, body } = await ada.request('GET', '/api/weather/search?q=Berlin')
    expect([status, body.locations.length > 1]).toEqual([200, true])
    for (const location of body.locations) {
      expect(location).toMatchObject({ state: expect.any(String), country: expect.any(String) })
    }
    expect((await h.request('GET', '/api/weather/search?q=Berlin')).status).toBe(401)
  })

  test('POST /api/settings/ntfy/test: sends a test push notification', async () => {
    await using server = await rawServer(() => answerOf('{}'))
    const ada = await h.signedIn()
    await ada.request('PUT', '/api/settings', { body: { ntfy_server_url: server.url, ntfy_topic: 'ada' } })
    expect((await ada.request('POST', '/api/settings/ntfy/test')).status).toBe(200)
    expect(server.requests).toHaveLength(1)
  })

  test('GET, PUT settings: response built explicitly; token never exposed', async () => {
    const ada = await h.signedIn()
    const body = { ntfy_auth_token: 'tk_Samarkand' }
    const answers = [
      await ada.request('PUT', '/api/settings', { body }),
      await ada.request('GET', '/api/settings'),
    ]
    const { body: document } = await h.request('GET', '/api/openapi.json')
    const documented = Object.keys(document.components.schemas.Settings.properties)
    for (const { status, body: view } of answers) {
      expect([status, Object.keys(view).toSorted()]).toEqual([200, documented.toSorted()])
      expect(JSON.stringify(view)).not.toContain('Samarkand')
    }
  })

  test('CRUD /api/calendars: system calendar deletion and renaming blocked', async () => {
    const ada = await h.signedIn()
    const created = await ada.request('POST', '/api/calendars', { body: { name: 'Work' } })
    const path = `/api/calendars/${created.body.id}`
    expect([created.status, (await ada.request('GET', path)).body]).toEqual([201, created.body])
    expect((await ada.request('PUT', path, { body: { name: 'Office' } })).body.name).toBe('Office')
    expect((await ada.request('DELETE', path)).status).toBe(204)
    expect((await ada.request('GET', path)).status).toBe(404)
    const { calendars } = (await ada.request('GET', '/api/calendars')).body
    const system = calendars.find(({ is_system }: { is_system: boolean }) => is_system)
    expect((await ada.request('DELETE', `/api/calendars/${system.id}`)).status).toBe(409)
    const renaming = { body: { name: 'Feasts' } }
    expect((await ada.request('PUT', `/api/calendars/${system.id}`, renaming)).status).toBe(409)
  })

  test('CRUD /api/event-templates: full CRUD record; duration is not a field', async () => {
    const ada = await h.signedIn()
    const body = { name: 'Lesson', title: 'Violin', duration: 60 }
    const created = await ada.request('POST', '/api/event-templates', { body })
    const path = `/api/event-templates/${created.body.id}`
    expect([created.status, (await ada.request('GET', path)).body]).toEqual([201, created.body])
    expect(created.body).not.toHaveProperty('duration')
    expect((await ada.request('PUT', path, { body: { title: 'Cello' } })).body.title).toBe('Cello')
    expect((await ada.request('DELETE', path)).status).toBe(204)
    expect((await ada.request('GET', path)).status).toBe(404)
  })

  test('PUT /requests/{id}/cancel: cancel a connection request', async () => {
    const [ada, bob] = [await sociable(h), await sociable(h)]
    const { id } = (await send(ada, bob)).body
    const { status, body } = await ada.request('PUT', `/api/connections/requests/${id}/cancel`)
    expect([status, body]).toMatchObject([200, { id, status: 'cancelled' }])
  })

  test('notifications exist', async () => {
    const ada = await h.signedIn()
    const note = { type: 'system' as const, title: 'T', message: 'M', data: {}, createdAt: h.clock.now() }
    await h.db.insert(notifications).values({ ...note, userId: ada.row.id })
    const { status, body } = await ada.request('GET', '/api/notifications')
    expect([status, body]).toMatchObject([200, { notifications: [{ title: 'T' }], unread_count: 1 }])
  })
})
