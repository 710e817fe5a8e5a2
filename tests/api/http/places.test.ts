import { expect, test } from 'bun:test'
import { fakeHasher } from '../../support/fakes'
import { startHarness } from '../../support/harness'

test('fifty users are created at once, and nobody waits for a place while their passwords are hashed', async () => {
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
  const [admin, ada] = [await h.signedIn({ role: 'admin' }), await h.signedIn()]
  const creating = Array.from({ length: 50 }, (_, number) =>
    admin.request('POST', '/api/admin/users', {
      body: { username: `many${number}`, password: 'correct horse battery' },
    }),
  )
  const lists = await Promise.all(Array.from({ length: 40 }, () => ada.request('GET', '/api/todos')))
  expect(new Set(lists.map(({ status }) => status))).toEqual(new Set([200]))
  expect(hashes).toBeGreaterThan(16)
  hashing.resolve()
  const made = await Promise.all(creating)
  expect(made.map(({ status }) => status)).toEqual(made.map(() => 201))
})
