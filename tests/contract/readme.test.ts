import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'bun:test'
import { freshDatabaseUrl } from '../support/database'
import { blockOf, substitute } from '../support/readme'
import { startService } from '../support/service'

test('the curl session of the README does what it says', async () => {
  await using database = await freshDatabaseUrl()
  await using service = await startService({
    env: {
      PATH: process.env['PATH'] ?? '',
      DATABASE_URL: database.url,
      SECRET_KEYS: 'k1:tests-tests-tests-tests-tests-tests',
    },
  })
  const folder = await mkdtemp(join(tmpdir(), 'organiser-readme-'))
  try {
    const script = substitute(await blockOf('readme', 'sh first account'), {
      'http://localhost:3000': service.url,
    })
    const shell = Bun.spawn(['bash', '-euc', script], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
    const answers = (await new Response(shell.stdout).text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(await shell.exited).toBe(0)
    expect(answers).toMatchObject([
      { authenticated: false, setup_required: true },
      { authenticated: true },
      { authenticated: true, username: 'ada', role: 'admin' },
      { allow_registration: true },
      { message: 'Signed out' },
      { authenticated: true },
    ])
  } finally {
    await rm(folder, { recursive: true })
  }
})
