import { expect, test } from 'bun:test'
import { programOf } from '../../src/access/notices/rules.security'

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
  ['', 'an unknown program'],
  ['your-account-is-locked-call-us-now-under-555-0100', 'an unknown program'],
  ['<b>bold</b>', 'an unknown program'],
])('%p is called %p', (userAgent, name) => {
  expect(programOf(userAgent)).toBe(name)
})
