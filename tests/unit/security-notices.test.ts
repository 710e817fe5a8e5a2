import { describe, expect, test } from 'bun:test'
import {
  backupCodesRenewed,
  calendarShared,
  emailChanged,
  feedMade,
  identityLinked,
  passkeyAdded,
  programOf,
  pushTargetChanged,
  type SecurityNotice,
  signedInElsewhere,
  tokenMade,
  totpSwitchedOff,
  totpSwitchedOffByAdministrator,
} from '../../src/access/notices/rules.security'

test.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0', 'Firefox on Linux'],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
    'Chrome on Android',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
    'Safari on macOS',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Mobile/15E148 Safari/604.1',
    'Chrome on iOS',
  ],
  ['Firefox/1', 'Firefox'],
  ['curl/8.5.0', 'curl/8.5.0'],
  ['organiser-cli', 'organiser-cli'],
  ['DAVx5/4.4.2-ose (2024/09/30; dav4jvm; okhttp/4.12.0) Android/14', 'DAVx5/4.4.2-ose'],
  ['Phone', 'Phone'],
  ['Opera/9 (X11; Linux) Chrome/140 Safari/537.36 OPR/120.0', 'Opera on Linux'],
  [
    'Mozilla/5.0 (Linux; Android 14) SamsungBrowser/27.0 Chrome/125.0 Mobile Safari/537.36',
    'Samsung Internet on Android',
  ],
  ['Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) FxiOS/141.0 Mobile Safari/605.1.15', 'Firefox on iOS'],
  ['Mozilla/5.0 (iPod) Version/9.0 Mobile Safari/601.1', 'Safari on iOS'],
  ['Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) Chrome/140.0 Safari/537.36', 'Chrome on ChromeOS'],
  ['Mozilla/5.0 (Linux; Android 14) Chrome/140.0 Mobile Safari/537.36 EdgA/140.0', 'Edge on Android'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 EdgiOS/140.0 Safari/604.1',
    'Edge on iOS',
  ],
  ['Version/18.0', 'Version/18.0'],
  ['NotFirefox/1', 'NotFirefox/1'],
  ['a'.repeat(40), 'a'.repeat(40)],
  ['a'.repeat(41), 'an unknown program'],
  [`a/${'1'.repeat(20)} more`, `a/${'1'.repeat(20)}`],
  [`a/${'1'.repeat(21)}`, 'an unknown program'],
  ['a/b/c', 'an unknown program'],
  [' curl/8.5.0', 'an unknown program'],
  ['', 'an unknown program'],
  ['your-account-is-locked-call-us-now-under-555-0100', 'an unknown program'],
  ['<b>bold</b>', 'an unknown program'],
])('%p is called %p', (userAgent, name) => {
  expect(programOf(userAgent)).toBe(name)
})

describe('a notice', () => {
  const origin = { ip: '203.0.113.7', userAgent: 'curl/8.5.0' }
  const record = { id: 7, name: 'Work' }
  const member = (permission: 'read' | 'write') => ({ id: 9, permission })

  test.each<[make: () => SecurityNotice, title: string, says: string, data: SecurityNotice['data']]>([
    [() => feedMade(record, origin), 'A calendar has a new feed', 'calendar "Work"', { calendar_id: 7 }],
    [
      () => passkeyAdded(record, origin),
      'A passkey was added to your account',
      'passkey "Work"',
      { passkey_id: 7 },
    ],
    [
      () => identityLinked({ id: 7, host: 'id.example' }, origin),
      'A sign-in was linked with your account',
      'sign-in at id.example',
      { identity_id: 7 },
    ],
    [() => tokenMade(record, origin), 'Your account has a new access token', 'token "Work"', { token_id: 7 }],
    [() => totpSwitchedOff(origin), 'Your authenticator was switched off', 'asks for no code', {}],
    [() => backupCodesRenewed(origin), 'You have new backup codes', 'old backup codes', {}],
    [() => emailChanged(origin), 'Your e-mail address was changed', 'another e-mail address', {}],
    [() => pushTargetChanged(origin), 'Your push target was changed', 'server, topic or token', {}],
    [
      () => calendarShared(record, member('read'), origin),
      'Your calendar was shared',
      'who may read it once',
      { calendar_id: 7, member_id: 9 },
    ],
    [
      () => calendarShared(record, member('write'), origin),
      'Your calendar was shared',
      'The calendar "Work" was offered to a user, who may read and change it once',
      { calendar_id: 7, member_id: 9 },
    ],
    [() => signedInElsewhere(origin), 'A sign-in with a new browser', 'last 90 days', {}],
  ])('says what happened, from where, and what to do (%#)', (make, title, says, data) => {
    const notice = make()
    expect(notice).toEqual({ type: 'security', title, message: notice.message, data })
    expect(notice.message).toContain(says)
    expect(notice.message).toContain('from 203.0.113.7 with curl/8.5.0')
    expect(notice.message).toContain('If that was not you, change your password and end all other sessions')
  })

  test('of an administrator sends the user to one', () => {
    const { title, message, data } = totpSwitchedOffByAdministrator()
    expect(title).toBe('Your authenticator was switched off')
    expect(message).toContain('talk to your administrator')
    expect(data).toEqual({})
  })

  test('says where neither address nor program is known', () => {
    expect(signedInElsewhere({ ip: 'unknown', userAgent: null }).message).toContain(
      'from an unknown address with an unknown program',
    )
  })
})
