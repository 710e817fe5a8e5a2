import { expect, test } from 'bun:test'
import { fakeHasher } from '../../support/fakes'
import { PASSWORD, startHarness } from '../../support/harness'

test('seven administrators create eight users each at once, and nobody waits for a place while their passwords are hashed', async () => {
  const hashing = Promise.withResolvers<void>()
  let hashes = 0
  await using h = await startHarness({
    deps: {
      hasher: {
        ...fakeHasher,
        hash: async (password) => {
          hashes += 1
          await hashing.promise
          return fakeHasher.hash(password)
        },
      },
    },
  })
  const ada = await h.signedIn()
  const admins = await Promise.all(Array.from({ length: 7 }, () => h.signedIn({ role: 'admin' })))
  const creating = admins.flatMap((admin, i) =>
    Array.from({ length: 8 }, (_, j) =>
      admin.request('POST', '/api/admin/users', { body: { username: `many${i}${j}`, password: PASSWORD } }),
    ),
  )
  const lists = await Promise.all(Array.from({ length: 40 }, () => ada.request('GET', '/api/todos')))
  expect(new Set(lists.map(({ status }) => status))).toEqual(new Set([200]))
  expect(hashes).toBeGreaterThan(16)
  hashing.resolve()
  const made = await Promise.all(creating)
  expect(made.map(({ status }) => status)).toEqual(made.map(() => 201))
})
