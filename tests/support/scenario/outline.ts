import type { Answer } from './play'

/** What is drawn or counted anew in every run, or tells where a request came from. */
const VARYING = new Set([
  'backup_codes',
  'challenge',
  'ip',
  'ip_address',
  'mfa_token',
  'next_cursor',
  'otpauth_uri',
  'prefix',
  'secret',
  'temporary_password',
  'token',
])
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?[+-]\d\d:\d\d$/
const UUID = /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/g
/** Where the tests' requests come from; notifications name it. */
const LOOPBACK = /\b127(?:\.\d{1,3}){3}\b/g
/** 32 random bytes in base64url. */
const DRAWN = /^[\w-]{43}$/
/** When a card or event was written. */
const STAMP = /^(REV|DTSTAMP|LAST-MODIFIED):[\dTZ:-]+/gm
const DAY_MS = 86_400_000

/** The present, and as long as a session lives from it. */
function isAboutNow(text: string): boolean {
  const fromNowMs = Date.parse(text) - Date.now()
  return DATE_TIME.test(text) && fromNowMs > -DAY_MS && fromNowMs < 8 * DAY_MS
}

function steady(key: string, value: unknown): unknown {
  if (VARYING.has(key)) return value === null ? null : `<${key}>`
  if (typeof value !== 'string') return value
  if (DRAWN.test(value)) return '<drawn>'
  return isAboutNow(value)
    ? '<now>'
    : value.replaceAll(UUID, '<uuid>').replaceAll(LOOPBACK, '<ip>').replaceAll(STAMP, '$1:<now>')
}

/** An answer without what no two runs of a service in the real world have in common. */
export function outline({ step, status, body }: Answer) {
  const isJson = body.startsWith('{')
  const said = isJson ? JSON.parse(body, steady) : steady('', body)
  return { step: `${step.as}: ${step.send}`, status, body: step.isItsOwn ? '' : said }
}
