import { afterAll, beforeAll, expect } from 'bun:test'
import { test } from '../../support/browser'
import { type Client, startClient } from '../../support/web'

let client: Client
beforeAll(async () => {
  client = await startClient()
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

const get = (path: string, headers: Record<string, string> = {}) =>
  client.h.app.fetch(new Request(`${client.origin}${path}`, { headers }))

test('every address outside the service answers a browser with the client, and a program with 404', async () => {
  for (const path of ['/', '/today', '/calendar/week/2026-11-23', '/no/such/place']) {
    const page = await get(path, { accept: 'text/html,application/xhtml+xml' })
    expect([path, page.status, page.headers.get('content-type')]).toEqual([
      path,
      200,
      'text/html; charset=utf-8',
    ])
    expect((await get(path)).status).toBe(404)
  }
  for (const path of ['/api/none', '/mcp/none', '/.well-known/none', '/assets/none.js', '/icons/none.png'])
    expect([path, (await get(path, { accept: 'text/html' })).status]).toEqual([path, 404])
})

test('files of the build are compressed and kept for ever; the page is asked for again', async () => {
  const page = await get('/', { accept: 'text/html' })
  expect(page.headers.get('cache-control')).toBe('no-cache')
  const [, script = ''] = /src="(\/assets\/main-[^"]+)"/.exec(await page.text()) ?? []
  for (const [accepted, encoding] of [
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['identity', null],
  ] as const) {
    const file = await get(script, { 'accept-encoding': accepted })
    expect(file.headers.get('content-encoding')).toBe(encoding)
    expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(file.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  }
})

test('the page links to the licences of what the client is bundled from, each with its text', async () => {
  const page = await (await get('/', { accept: 'text/html' })).text()
  const [, address = ''] = /rel="license" href="(\/assets\/licences-[^"]+)"/.exec(page) ?? []
  const answer = await get(address)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
  const notices = (await answer.text()).split(`\n${'-'.repeat(80)}\n`)
  const noticeOf = (name: string) => notices.find((notice) => notice.trim().startsWith(`${name} `)) ?? ''
  expect(noticeOf('react-dom')).toContain('Permission is hereby granted, free of charge')
  expect(noticeOf('react-aria')).toContain('TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION')
  expect(noticeOf('typescript')).toBe('')
})

test('the page obeys its own policy, which allows no other host and no inline code', async () => {
  const { page, context } = await client.open()
  const answer = await page.goto('/')
  const policy = answer?.headers()['content-security-policy'] ?? ''
  expect(policy).not.toContain('unsafe')
  expect(policy).toContain("require-trusted-types-for 'script'")
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(client.complaints).toEqual([])
  await context.close()
})
