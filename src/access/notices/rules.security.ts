/** The client that made the change. */
interface Origin {
  readonly ip: string
  readonly userAgent: string | null
}

interface NamedRecord {
  readonly id: number
  readonly name: string
}

/** The notification when what outlives a session changes (contract: notifications.security). */
export interface SecurityNotice {
  readonly type: 'security'
  readonly title: string
  readonly message: string
  readonly data: Readonly<Record<string, number>>
}

const notice = (title: string, message: string, data: SecurityNotice['data'] = {}): SecurityNotice => ({
  type: 'security',
  title,
  message,
  data,
})

const IF_NOT_YOU = 'If that was not you, change your password and end all other sessions'

export const feedMade = ({ id, name }: NamedRecord, origin: Origin): SecurityNotice =>
  notice(
    'A calendar has a new feed',
    `Whoever knows its secret address can read the calendar "${name}" from now on. The feed was made ${placeOf(origin)}. ${IF_NOT_YOU}, which can end all feeds too.`,
    { calendar_id: id },
  )

export const passkeyAdded = ({ id, name }: NamedRecord, origin: Origin): SecurityNotice =>
  notice(
    'A passkey was added to your account',
    `The passkey "${name}" can sign in to your account from now on. It was added ${placeOf(origin)}. ${IF_NOT_YOU}, and delete the passkey.`,
    { passkey_id: id },
  )

/** `host`: of the provider. */
export const identityLinked = (
  { id, host }: { readonly id: number; readonly host: string },
  origin: Origin,
): SecurityNotice =>
  notice(
    'A sign-in was linked with your account',
    `A sign-in at ${host} lets into your account from now on. It was linked ${placeOf(origin)}. ${IF_NOT_YOU}, and unlink the sign-in.`,
    { identity_id: id },
  )

export const tokenMade = ({ id, name }: NamedRecord, origin: Origin): SecurityNotice =>
  notice(
    'Your account has a new access token',
    `A program with the token "${name}" can act for you from now on. The token was made ${placeOf(origin)}. ${IF_NOT_YOU}, and revoke the token.`,
    { token_id: id },
  )

export const totpSwitchedOff = (origin: Origin): SecurityNotice =>
  notice(
    'Your authenticator was switched off',
    `Signing in asks for no code any more. The authenticator was switched off ${placeOf(origin)}. ${IF_NOT_YOU}, and set the authenticator up again.`,
  )

export const totpSwitchedOffByAdministrator = (): SecurityNotice =>
  notice(
    'Your authenticator was switched off',
    'An administrator has switched it off and signed you out everywhere. If you did not ask for that, talk to your administrator. You can set the authenticator up again.',
  )

export const backupCodesRenewed = (origin: Origin): SecurityNotice =>
  notice(
    'You have new backup codes',
    `Your old backup codes are worth nothing any more. The new ones were made ${placeOf(origin)}. ${IF_NOT_YOU}, and make new backup codes.`,
  )

export const emailChanged = (origin: Origin): SecurityNotice =>
  notice(
    'Your e-mail address was changed',
    `Your account has another e-mail address, or none any more. It was changed ${placeOf(origin)}. ${IF_NOT_YOU}, and correct the address.`,
  )

export const pushTargetChanged = (origin: Origin): SecurityNotice =>
  notice(
    'Your push target was changed',
    `The server, topic or token of your push messages was changed ${placeOf(origin)}. ${IF_NOT_YOU}, and correct the settings.`,
  )

/** Does not name the other user, who may be blocked or gone when it is read. */
export const calendarShared = (
  { id, name }: NamedRecord,
  member: { readonly id: number; readonly permission: 'read' | 'write' },
  origin: Origin,
): SecurityNotice =>
  notice(
    'Your calendar was shared',
    `The calendar "${name}" was offered to a user, who may ${member.permission === 'read' ? 'read' : 'read and change'} it once they accept. It was shared ${placeOf(origin)}. ${IF_NOT_YOU}, and check its members.`,
    { calendar_id: id, member_id: member.id },
  )

export const signedInElsewhere = (origin: Origin): SecurityNotice =>
  notice(
    'A sign-in with a new browser',
    `Somebody signed in to your account ${placeOf(origin)}, which had not been used for it in the last 90 days. ${IF_NOT_YOU}.`,
  )

const placeOf = ({ ip, userAgent }: Origin): string =>
  `from ${ip === 'unknown' ? 'an unknown address' : ip} with ${programOf(userAgent ?? '')}`

/** The first match decides, because most user agents also name other browsers for compatibility. */
const BROWSERS: ReadonlyArray<readonly [pattern: RegExp, name: string]> = [
  [/\bEdg(?:A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS)\//, 'Chrome'],
  [/\bVersion\/.*\bSafari\//, 'Safari'],
]
const SYSTEMS: ReadonlyArray<readonly [pattern: RegExp, name: string]> = [
  [/\bAndroid\b/, 'Android'],
  [/\b(?:iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

/**
 * Matches one product token (RFC 9110, section 10.1.5). Anything longer is not shown: a client could write a sentence
 * of its own into the user's notification.
 */
const PRODUCT = /^[\w.+-]{1,40}(?:\/[\w.+-]{1,20})?(?![\w.+/-])/

const find = (names: typeof BROWSERS, userAgent: string) =>
  names.find(([pattern]) => pattern.test(userAgent))?.[1]

/** Returns the program that a user agent names, for example `Firefox on Linux`. */
export function programOf(userAgent: string): string {
  const browser = find(BROWSERS, userAgent)
  if (browser === undefined) return PRODUCT.exec(userAgent)?.[0] ?? 'an unknown program'
  const system = find(SYSTEMS, userAgent)
  return system === undefined ? browser : `${browser} on ${system}`
}
