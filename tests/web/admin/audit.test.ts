import { afterAll, beforeAll, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { auditLog } from '../../../src/db/schema'
import { auditWords } from '../../../src/web/admin/audit-words'
import { test } from '../../support/browser'
import { login } from '../../support/accounts'
import { pressOn } from '../../support/keyboard'
import { type Client, eventually, SCREENS, startClient } from '../../support/web'

// (contract: web.administration)
let client: Client
beforeAll(async () => {
  client = await startClient()
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

type Options = NonNullable<Parameters<Client['open']>[0]>['options']

async function opened(address: string, options?: Options) {
  const admin = await client.h.signedIn({ role: 'admin' })
  const { page, context } = await client.open({ as: admin, ...(options && { options }) })
  await page.goto(address)
  return { admin, page, [Symbol.asyncDispose]: () => context.close() }
}

const entries = (page: Page, name = 'Entries') => page.getByRole('list', { name })
const entry = (page: Page, text: string | RegExp) =>
  entries(page).getByRole('listitem').filter({ hasText: text })

interface Written {
  readonly action: string
  readonly at?: string
  readonly actorId?: number | null
  readonly ip?: string
  readonly detail?: Record<string, unknown>
}
const write = ({ action, at = '2026-03-04T09:00:00Z', actorId = null, ip = '192.0.2.1', detail }: Written) =>
  client.h.db
    .insert(auditLog)
    .values({ action, actorId, ip, createdAt: new Date(at), ...(detail && { detail }) })

test('every action that the service writes into the audit log has words', async () => {
  const written = new Set<string>()
  for await (const path of new Bun.Glob('src/features/**/service*.ts').scan('.'))
    for (const [, action = ''] of (await Bun.file(path).text()).matchAll(
      /'((?:admin|auth|calendar|connection|settings)\.[a-z_]+)'/g,
    ))
      written.add(action)
  expect(written.size).toBeGreaterThan(40)
  expect([...written].filter((action) => !Object.hasOwn(auditWords.en, action))).toEqual([])
})

test('an entry says in words what was done to whom, and both names lead to their accounts', async () => {
  const paul = await client.h.signedIn({ username: 'paul' })
  await using tab = await opened('/admin')
  const { admin, page } = tab
  await admin.request('PUT', `/api/admin/users/${paul.row.id}/role`, { body: { role: 'admin' } })
  await admin.request('PUT', `/api/admin/users/${paul.row.id}/role`, { body: { role: 'standard' } })
  await page.goto('/admin/audit')
  const line = entry(page, 'Changed a role').first()
  await line.getByText('Role: User').waitFor()
  expect(await line.innerText()).not.toMatch(/user_id|[{}"]/)
  expect(await line.getByRole('link', { name: admin.row.username }).getAttribute('href')).toBe(
    `/admin/users/${admin.row.id}`,
  )
  await line.getByRole('link', { name: 'paul' }).click()
  await page.getByRole('heading', { level: 1, name: 'paul' }).waitFor()
})

test('details of every kind are plain words, in German too', async () => {
  const others = [
    { action: 'auth.login_failed', detail: { reason: 'unknown_username' }, said: 'Den eingegebenen Benutzernamen gibt es nicht' },
    { action: 'auth.login_blocked_inactive', detail: { reason: 'account_disabled' }, said: 'Das Konto ist abgeschaltet' },
    { action: 'auth.mfa_success', detail: { method: 'backup_code' }, said: 'mit Passwort und Ersatzcode' },
    { action: 'auth.sessions_revoked', detail: { revoked: 1 }, said: 'Eine Sitzung beendet' },
    { action: 'auth.sessions_revoked', detail: { revoked: 3 }, said: '3 Sitzungen beendet' },
    { action: 'auth.token_created', detail: { token_id: 4, name: 'Telefon', scopes: ['dav', 'calendars:write'] }, said: '„Telefon“ · Kalender: Lesen und ändern' },
    { action: 'auth.passkey_deleted', detail: { passkey_id: 7 }, said: 'Passkey Nummer 7' },
    { action: 'settings.identity_refused', detail: { field: 'network_name' }, said: 'Ein anderes Konto hat den Netzwerknamen' },
    { action: 'calendar.feed_created', detail: { calendar_id: 5 }, said: 'Kalender Nummer 5' },
    { action: 'connection.blocked', detail: { block_id: 1, user_id: 99 }, said: 'Konto: Nummer 99' },
    { action: 'connection.request_cancelled', detail: { request_id: 2, receiver_id: 98 }, said: 'Konto: Nummer 98 · Anfrage Nummer 2' },
    { action: 'admin.config_updated', detail: { allow_registration: true, allow_passwordless: false }, said: 'Anmelden ohne Passwort ist erlaubt: aus · Alle dürfen ein Konto anlegen: ein' },
    { action: 'auth.oidc_login_failed', detail: { purpose: 'sign_in', code: 'not_linked', reason: 'unknown identity' }, said: 'Es ist mit keinem Konto verbunden · (unknown identity)' },
    { action: 'auth.identity_linked', detail: { identity_id: 3, issuer: 'https://id.example.org' }, said: 'https://id.example.org' },
    { action: 'admin.user_deleted', detail: { user_id: 97, username: 'fort' }, said: 'Konto: fort' },
  ] // prettier-ignore
  for (const { action, detail } of others) await write({ action, detail, at: '2026-02-10T12:00:00Z' })
  await using tab = await opened('/admin/audit?from=2026-02-10&to=2026-02-10', { locale: 'de-DE' })
  const { page } = tab
  const list = entries(page, 'Einträge')
  await list.getByText('Konto: fort').waitFor()
  const texts = (await list.getByRole('listitem').allInnerTexts()).map((text) =>
    text.replaceAll('\u00a0', ' '),
  )
  for (const { said } of others) expect(texts.join('\n')).toContain(said)
  expect(texts.join('\n')).not.toMatch(/[{}[\]_]|: (?:true|false)/)
  // What is deleted is no link, and does not lead to a page that says that it is gone.
  expect(await list.getByRole('link', { name: 'fort' }).count()).toBe(0)
})

test('who did it is told apart: an account that is gone, nobody known, and a command on the server', async () => {
  await write({ action: 'auth.logout', at: '2026-01-05T12:00:00Z' })
  await write({
    action: 'auth.login_failed',
    at: '2026-01-05T12:00:00Z',
    detail: { reason: 'unknown_username' },
  })
  await write({
    action: 'admin.user_unlocked',
    at: '2026-01-05T12:00:00Z',
    ip: 'unknown',
    detail: { user_id: 1, username: 'ada' },
  })
  await using tab = await opened('/admin/audit?from=2026-01-05&to=2026-01-05')
  const { page } = tab
  await entry(page, 'Signed out').getByText('A deleted account').waitFor()
  await entry(page, 'Sign-in failed').getByText('Somebody unknown').waitFor()
  await entry(page, 'Unlocked an account').getByText('A command on the server').waitFor()
  expect(await entry(page, 'Unlocked an account').innerText()).not.toContain('unknown')
})

test('the days of the filter are those of the viewer, both included, and stand in the address', async () => {
  await using tab = await opened('/admin')
  const { admin, page } = tab
  // Berlin is an hour ahead: the first is on the 9th there, the last one on the 11th.
  const at = ['2025-12-08T22:59:59Z', '2025-12-08T23:00:00Z', '2025-12-10T22:59:59Z', '2025-12-10T23:00:00Z']
  for (const [place, moment] of at.entries())
    await write({
      action: 'auth.passkey_renamed',
      actorId: admin.row.id,
      at: moment,
      detail: { passkey_id: place },
    })
  await page.goto('/admin/audit')
  await page.getByLabel('What happened').selectOption('Renamed a passkey')
  await entry(page, 'Passkey number 0').waitFor()
  await page.getByLabel('From').fill('2025-12-09')
  await entry(page, 'Passkey number 0').waitFor({ state: 'detached' })
  await page.getByLabel('Until').fill('2025-12-10')
  await entry(page, 'Passkey number 3').waitFor({ state: 'detached' })
  expect(await entries(page).getByRole('listitem').count()).toBe(2)
  expect(new URL(page.url()).search).toBe('?action=auth.passkey_renamed&from=2025-12-09&to=2025-12-10')
  await page.getByLabel('From').fill('2025-12-11')
  await page.getByText('No entries fit').waitFor()
  await page.reload()
  await page.getByText('No entries fit').waitFor()
})

test('more entries are loaded by keyboard, and the first new one has the focus though it has no link', async () => {
  for (let at = 0; at < 60; at++)
    await write({
      action: 'auth.passkey_login_failed',
      at: '2025-11-01T12:00:00Z',
      detail: { reason: 'cross_origin' },
    })
  await using tab = await opened('/admin/audit?action=auth.passkey_login_failed&to=2025-11-02', SCREENS.phone)
  const { page } = tab
  await entry(page, 'Another site asked for it').first().waitFor()
  await pressOn(page, page.getByRole('button', { name: 'Load more' }))
  await page.getByRole('button', { name: 'Load more' }).waitFor({ state: 'detached' })
  const focused = () =>
    page.evaluate(() => document.activeElement?.closest('li')?.getAttribute('aria-posinset'))
  await eventually(focused, '51')
  await page.keyboard.press('ArrowDown')
  await eventually(focused, '52')
})

test('what one user did is found from the account, under the name, and everybody shows again', async () => {
  const leni = await client.h.signedIn({ username: 'leni' })
  await login(client.h, 'leni', 'not the password')
  await using tab = await opened(`/admin/users/${leni.row.id}`)
  const { page } = tab
  await page.getByRole('link', { name: 'What this user did, in the audit log' }).click()
  await page.getByText('Only what leni did shows.').waitFor()
  await entry(page, 'The password was wrong').waitFor()
  await page.getByRole('button', { name: 'Show everybody' }).click()
  await page.getByText('Only what leni did shows.').waitFor({ state: 'detached' })
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
})
