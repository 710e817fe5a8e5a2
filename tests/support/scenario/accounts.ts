import { METRICS_TOKEN, NEW_PASSWORD, PASSWORD, type Step } from './steps'

const newcomer = (username: string) => ({
  username,
  password: PASSWORD,
  email: `${username}@example.com`,
  date_of_birth: '1990-02-28',
  network_name: `${username}-at-home`,
})

const BY_TOKEN = { authorization: 'Bearer {script.token}' }

/** The service before anybody has an account, its first administrator, and two who register. */
export const newcomers: readonly Step[] = [
  { as: 'ada', send: 'GET /health/live', answers: 200 },
  { as: 'ada', send: 'GET /health/ready', answers: 200 },
  {
    as: 'ada',
    send: 'GET /metrics',
    headers: { authorization: `Bearer ${METRICS_TOKEN}` },
    answers: 200,
    isItsOwn: true,
  },
  { as: 'ada', send: 'GET /metrics', answers: 404 },
  { as: 'ada', send: 'GET /api/openapi.json', answers: 200 },
  { as: 'ada', send: 'GET /api/docs', answers: 200 },
  { as: 'ada', send: 'GET /api/nothing', answers: 404 },
  { as: 'ada', send: 'PATCH /api/settings', answers: 405 },
  { as: 'ada', send: 'GET /api/auth/status', answers: 200 },
  { as: 'ada', send: 'GET /api/settings', answers: 401 },
  { as: 'ada', send: 'POST /api/auth/setup', body: { username: 'ada', password: 'short' }, answers: 422 },
  {
    as: 'ada',
    send: 'POST /api/auth/setup',
    body: { username: 'ada', password: 'password1234' },
    answers: 422,
  },
  { as: 'ada', send: 'POST /api/auth/setup', body: '{"username"', answers: 400 },
  { as: 'ada', send: 'POST /api/auth/setup', body: newcomer('ada'), answers: 200 },
  { as: 'eve', send: 'POST /api/auth/setup', body: newcomer('eve'), answers: 400 },
  { as: 'ada', send: 'GET /api/auth/status', answers: 200, keep: 'ada' },
  { as: 'bob', send: 'POST /api/auth/register', body: newcomer('bob'), answers: 403 },
  { as: 'ada', send: 'PUT /api/admin/config', body: { allow_registration: true }, answers: 200 },
  { as: 'bob', send: 'POST /api/auth/register', body: newcomer('bob'), answers: 200 },
  { as: 'eve', send: 'POST /api/auth/register', body: newcomer('BOB'), answers: 400 },
  { as: 'eve', send: 'POST /api/auth/register', body: newcomer('eve'), answers: 200 },
  { as: 'bob', send: 'GET /api/auth/status', answers: 200, keep: 'bob' },
]

const CROSS_SITE = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }

/** Signing out and in, with and without a second factor. */
export const signIn: readonly Step[] = [
  { as: 'bob', send: 'POST /api/auth/logout', answers: 200 },
  { as: 'bob', send: 'GET /api/settings', answers: 401 },
  { as: 'bob', send: 'POST /api/auth/login', body: { username: 'bob', password: 'wrong' }, answers: 401 },
  { as: 'bob', send: 'POST /api/auth/login', body: { username: 'nobody', password: 'wrong' }, answers: 401 },
  {
    as: 'bob',
    send: 'POST /api/auth/login',
    body: { username: 'bob', password: PASSWORD },
    headers: CROSS_SITE,
    answers: 403,
  },
  { as: 'bob', send: 'POST /api/auth/login', body: 'username=bob', answers: 400 },
  {
    as: 'bob',
    send: 'POST /api/auth/login',
    body: 'username=bob',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    answers: 415,
  },
  { as: 'bob', send: 'POST /api/auth/login', body: { username: 'Bob', password: PASSWORD }, answers: 200 },
  { as: 'bob', send: 'POST /api/auth/lock', answers: 200 },
  { as: 'bob', send: 'GET /api/calendars', answers: 423 },
  { as: 'bob', send: 'POST /api/auth/verify-password', body: { password: 'wrong' }, answers: 401 },
  { as: 'bob', send: 'POST /api/auth/verify-password', body: { password: PASSWORD }, answers: 200 },
  {
    as: 'bob',
    send: 'POST /api/auth/change-password',
    body: { old_password: PASSWORD, new_password: NEW_PASSWORD },
    answers: 200,
  },
  { as: 'bob', send: 'POST /api/auth/totp/setup', answers: 200, keep: 'totp' },
  { as: 'bob', send: 'POST /api/auth/totp/confirm', body: { code: '12345' }, answers: 400 },
  {
    as: 'bob',
    send: 'POST /api/auth/totp/confirm',
    body: { code: '{code:totp.secret-1}' },
    answers: 200,
    keep: 'codes',
  },
  { as: 'bob', send: 'GET /api/auth/totp/status', answers: 200 },
  {
    as: 'bob on the road',
    send: 'POST /api/auth/login',
    body: { username: 'bob', password: NEW_PASSWORD },
    answers: 200,
    keep: 'half',
  },
  {
    as: 'bob on the road',
    send: 'POST /api/auth/totp/verify',
    body: { mfa_token: '{half.mfa_token}', code: '{code:totp.secret}' },
    answers: 200,
  },
  { as: 'bob', send: 'GET /api/auth/sessions', answers: 200 },
  { as: 'bob', send: 'DELETE /api/auth/sessions', answers: 200 },
  { as: 'bob on the road', send: 'GET /api/settings', answers: 401 },
  {
    as: 'bob on the road',
    send: 'POST /api/auth/login',
    body: { username: 'bob', password: NEW_PASSWORD },
    answers: 200,
    keep: 'half',
  },
  {
    as: 'bob on the road',
    send: 'POST /api/auth/totp/verify',
    body: { mfa_token: '{half.mfa_token}', code: '{codes.backup_codes.0}' },
    answers: 200,
  },
  { as: 'bob', send: 'POST /api/auth/totp/backup-codes', body: { password: NEW_PASSWORD }, answers: 200 },
  {
    as: 'bob',
    send: 'POST /api/auth/totp/disable',
    body: { password: NEW_PASSWORD, code: '{code:totp.secret+1}' },
    answers: 200,
  },
  {
    as: 'bob',
    send: 'POST /api/auth/tokens',
    body: { name: 'Script', scopes: ['tasks:read'], expires_in_days: 7 },
    answers: 201,
    keep: 'script',
  },
  { as: 'bob', send: 'GET /api/auth/tokens', answers: 200 },
  { as: 'a program', send: 'GET /api/todos', headers: BY_TOKEN, answers: 200 },
  { as: 'a program', send: 'GET /api/people', headers: BY_TOKEN, answers: 403 },
  { as: 'bob', send: 'DELETE /api/auth/tokens/{script.id}', answers: 204 },
  { as: 'a program', send: 'GET /api/todos', headers: BY_TOKEN, answers: 401 },
  { as: 'bob', send: 'GET /api/auth/passkeys', answers: 200 },
  { as: 'bob', send: 'POST /api/auth/passkeys/register/begin', answers: 200 },
  { as: 'bob', send: 'POST /api/auth/passkeys/login/begin', answers: 200 },
]

/** What each says about themselves. */
export const settings: readonly Step[] = [
  { as: 'ada', send: 'GET /api/settings', answers: 200 },
  {
    as: 'ada',
    send: 'PUT /api/settings',
    body: {
      preferred_name: 'Ada',
      first_name: 'Augusta',
      last_name: 'Lovelace',
      phone: '+44 20 7946 0000',
      time_zone: 'America/New_York',
      first_day_of_week: 1,
      accept_connections: true,
      share_preferred_name: true,
      share_birthday: true,
    },
    answers: 200,
  },
  {
    as: 'bob',
    send: 'PUT /api/settings',
    body: {
      preferred_name: 'Боб 🐻',
      accept_connections: true,
      share_email: true,
      share_preferred_name: true,
    },
    answers: 200,
  },
  { as: 'ada', send: 'PUT /api/settings', body: { time_zone: 'Mars/Olympus' }, answers: 422 },
  { as: 'ada', send: 'PUT /api/settings', body: { quiet_from: '22:00' }, answers: 422 },
  { as: 'ada', send: 'PUT /api/settings', body: { network_name: 'bob-at-home' }, answers: 409 },
  { as: 'ada', send: 'GET /api/weather', answers: 404 },
  { as: 'ada', send: 'POST /api/settings/ntfy/test', answers: 400 },
  {
    as: 'ada',
    send: 'PUT /api/settings',
    body: {
      ntfy_server_url: 'https://push.example',
      ntfy_topic: 'ada',
      ntfy_auth_token: 'tk_not_to_be_read',
    },
    answers: 200,
  },
]
