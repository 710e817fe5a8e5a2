import type { Scope } from '../../src/lib/scopes'
import { freshDatabaseUrl } from './database'
import { PASSWORD } from './harness'
import { startService } from './service'

/** The real service with one user, and something of each area that belongs to them. */
export async function openKitchens() {
  const database = await freshDatabaseUrl()
  const service = await startService({
    env: {
      PATH: process.env['PATH'] ?? '',
      DATABASE_URL: database.url,
      SECRET_KEYS: 'k1:tests-tests-tests-tests-tests-tests',
    },
  })
  const setup = await service.post('/api/auth/setup', { username: 'ada', password: PASSWORD })
  const cookie = setup.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const ada = async (method: string, path: string, body?: unknown) => {
    const response = await service.fetch(path, {
      method,
      headers: { cookie, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
    return response.json()
  }
  return {
    url: service.url,
    ada,
    tokenOf: async (scopes: readonly Scope[]): Promise<string> =>
      (await ada('POST', '/api/auth/tokens', { name: 'Recipe', scopes })).token,
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}
