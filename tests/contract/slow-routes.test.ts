import { expect, test } from 'bun:test'
import { startHarness } from '../support/harness'

/** Hashes a password that it draws itself. */
const DRAWS_A_PASSWORD = ['POST /api/admin/users/:id/reset-password']

test('every operation that takes a password or a file from somebody signed in says that it is slow', async () => {
  await using h = await startHarness()
  const guarded = h.app.routes.routes.flatMap(({ method, path, hooks }) => {
    const { security = [], 'x-guard': rules = {} } = hooks.detail ?? {}
    return security.length > 0 ? [{ name: `${method} ${path}`, rules, body: hooks.body }] : []
  })
  const takesLong = ({ name, body }: (typeof guarded)[number]) =>
    body?.contentMediaType !== undefined ||
    Object.keys(body?.properties ?? {}).some((field) => field.endsWith('password')) ||
    DRAWS_A_PASSWORD.includes(name)
  const expected = guarded.filter(takesLong)
  expect(expected.length).toBeGreaterThan(8)
  expect(expected.filter(({ rules }) => !rules.slow).map(({ name }) => name)).toEqual([])
})
