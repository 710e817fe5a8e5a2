import type { Access } from '../../access/calendars/rules'
import { caldav, dav } from '../../lib/xml/names'
import { element, textElement } from '../../lib/xml/write'
import { principalHref, PRINCIPALS_HREF } from '../address'
import type { Resource, Viewer } from '../resources'

/** The content of a property as XML; undefined where the resource has none. */
export type Property<R extends Resource> = (resource: R, viewer: Viewer) => string | undefined

export const href = (path: string): string => textElement(dav('href'), path)

export { USER_URN, uuidUrn } from '../../lib/uuid-urn'

const PRIVILEGES: Readonly<Record<Access, readonly string[]>> = {
  owner: ['all', 'read', 'write', 'write-content', 'write-properties', 'bind', 'unbind', 'unlock'],
  write: ['read', 'write', 'write-content', 'write-properties', 'bind', 'unbind'],
  read: ['read', 'write-properties'],
}

/** What the reader may do (RFC 3744, section 5.4). */
export const privileges = (access: Access): string =>
  [...PRIVILEGES[access], 'read-current-user-privilege-set']
    .map((name) => element(dav('privilege'), element(dav(name))))
    .join('') + element(dav('privilege'), element(caldav('read-free-busy')))

const supported = (name: string, description: string, inner = '') =>
  element(
    dav('supported-privilege'),
    element(dav('privilege'), element(name)) +
      textElement(dav('description'), description, { 'xml:lang': 'en' }) +
      inner,
  )

const SUPPORTED_PRIVILEGES = supported(
  dav('all'),
  'Everything',
  supported(
    dav('read'),
    'Read',
    supported(dav('read-current-user-privilege-set'), 'Read what one may do') +
      supported(caldav('read-free-busy'), 'Read when somebody is busy'),
  ) +
    supported(
      dav('write'),
      'Write',
      supported(dav('write-content'), 'Change objects') +
        supported(dav('write-properties'), 'Change properties') +
        supported(dav('bind'), 'Add objects') +
        supported(dav('unbind'), 'Remove objects'),
    ),
)

export const reports = (names: readonly string[]): string =>
  names.map((name) => element(dav('supported-report'), element(dav('report'), element(name)))).join('')

/** What every kind of resource has. */
export const ANY = new Map<string, Property<Resource>>([
  [dav('current-user-principal'), (_, { user }) => href(principalHref(user.session.userId))],
  [dav('principal-collection-set'), () => href(PRINCIPALS_HREF)],
  [dav('supported-privilege-set'), () => SUPPORTED_PRIVILEGES],
])

/** Only these of RFC 4918 are told to a client that asks for all (RFC 3744, section 5; RFC 4791, section 5.2). */
export const IN_ALLPROP: ReadonlySet<string> = new Set(
  [
    'resourcetype',
    'displayname',
    'creationdate',
    'getlastmodified',
    'getetag',
    'getcontenttype',
    'getcontentlength',
    'sync-token',
  ].map(dav),
)
