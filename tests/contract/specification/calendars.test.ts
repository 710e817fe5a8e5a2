import { expect, test } from 'bun:test'
import { type Actor } from '../../support/harness'
import { useHarness } from '../../support/use-harness'

const CALENDARS = '/api/calendars'
const h = useHarness()

const birthdaysOf = async (actor: Actor) =>
  (await actor.request('GET', CALENDARS)).body.calendars.find(
    ({ is_system }: { is_system: boolean }) => is_system,
  )

test('A calendar is read as it was created, until it is deleted', async () => {
  const ada = await h.signedIn()
  const body = { name: 'Work', color: '#012abc', is_default: false, is_visible: false }
  const created = await ada.request('POST', CALENDARS, { body })
  expect(created.status).toBe(201)
  expect(created.body).toMatchObject({ ...body, is_system: false, user_id: ada.row.id })
  const path = `${CALENDARS}/${created.body.id}`
  expect((await ada.request('GET', path)).body).toEqual(created.body)
  expect((await ada.request('DELETE', path)).status).toBe(204)
  expect((await ada.request('GET', path)).status).toBe(404)
})

test('The colour of a calendar is # and six hexadecimal digits', async () => {
  const ada = await h.signedIn()
  for (const color of ['red', '#12345', '#1234567', '#12345g', null]) {
    const refused = await ada.request('POST', CALENDARS, { body: { name: 'Other', color } })
    expect([color, refused.status]).toEqual([color, 422])
  }
})

test('A system calendar that is not to be renamed or deleted stays as it is, and takes another colour', async () => {
  const ada = await h.signedIn()
  const before = await birthdaysOf(ada)
  const path = `${CALENDARS}/${before.id}`
  expect((await ada.request('DELETE', path)).status).toBe(409)
  expect((await ada.request('PUT', path, { body: { name: 'Feasts' } })).status).toBe(409)
  expect(await birthdaysOf(ada)).toEqual(before)
  expect((await ada.request('PUT', path, { body: { color: '#000000' } })).status).toBe(200)
  expect(await birthdaysOf(ada)).toEqual({ ...before, color: '#000000' })
})
