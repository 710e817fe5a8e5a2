import type { Home } from '../features/objects/collections/rules'
import { DavError } from './errors'

/** A place below /dav (contract: dav.addresses). Slugs and names are decoded. */
export type Address =
  | { readonly kind: 'root' }
  | { readonly kind: 'principals' }
  | { readonly kind: 'principal'; readonly userId: number }
  | { readonly kind: 'home'; readonly home: Home; readonly userId: number }
  | CollectionAddress
  | ObjectAddress

export interface CollectionAddress {
  readonly kind: 'collection'
  readonly home: Home
  readonly userId: number
  readonly slug: string
}

export interface ObjectAddress {
  readonly kind: 'object'
  readonly home: Home
  readonly userId: number
  readonly slug: string
  readonly name: string
}

const ROOT = '/dav/'
const ID = /^[1-9]\d{0,9}$/
const MAX_BYTES = 255
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001F\u007F]/

/** Reads the path of a request; undefined where nothing can be. @throws {DavError} 400 for a path that is not UTF-8. */
export function readAddress(path: string): Address | undefined {
  if (path === '/' || path === '/dav' || path === ROOT) return { kind: 'root' }
  if (/^(\/dav)?\/principals\/?$/.test(path)) return { kind: 'principals' }
  return path.startsWith(ROOT) ? ofUser(path.slice(ROOT.length).replace(/\/$/, '').split('/')) : undefined
}

const BELOW_HOME = /^\/dav\/(?:calendars|addressbooks)\/([1-9]\d{0,9})\/[^/]+(?:\/[^/]+)?\/?$/

/** Whether a path would be the address of a collection or object of the user if anything could be called so. */
export const isMisnamed = (path: string, userId: number): boolean =>
  Number(BELOW_HOME.exec(path)?.[1]) === userId && readAddress(path) === undefined

function ofUser([first, id = '', ...rest]: readonly string[]): Address | undefined {
  if (!ID.test(id)) return undefined
  const userId = Number(id)
  if (first === 'principals') return rest.length === 0 ? { kind: 'principal', userId } : undefined
  return first === 'calendars' || first === 'addressbooks'
    ? within(first, userId, rest.map(decode))
    : undefined
}

function within(home: Home, userId: number, parts: readonly string[]): Address | undefined {
  const [slug, name, ...rest] = parts
  if (slug === undefined) return { kind: 'home', home, userId }
  if (!isName(slug) || rest.length > 0) return undefined
  if (name === undefined) return { kind: 'collection', home, userId, slug }
  return isName(name) ? { kind: 'object', home, userId, slug, name } : undefined
}

/** Whether a collection or object may be called so. */
const isName = (text: string): boolean =>
  text !== '' &&
  text !== '.' &&
  text !== '..' &&
  !text.includes('/') &&
  !CONTROL.test(text) &&
  new TextEncoder().encode(text).length <= MAX_BYTES

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw new DavError(400)
  }
}

/** Writes a slug or name in the one spelling that clients are told: unreserved characters, `@` and `:` as they are. */
const encode = (part: string): string =>
  encodeURIComponent(part)
    .replace(/[!'()*]/g, (found) => `%${found.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%40', '@')
    .replaceAll('%3A', ':')

export const ROOT_HREF = ROOT
export const PRINCIPALS_HREF = '/dav/principals/'
export const principalHref = (userId: number): string => `${PRINCIPALS_HREF}${userId}/`
export const homeHref = (home: Home, userId: number): string => `${ROOT}${home}/${userId}/`
export const collectionHref = ({ home, userId, slug }: Omit<CollectionAddress, 'kind'>): string =>
  `${homeHref(home, userId)}${encode(slug)}/`
export const objectHref = (of: Omit<CollectionAddress, 'kind'>, name: string): string =>
  collectionHref(of) + encode(name)

/**
 * The address of an href. Of an absolute one only the path counts: behind a proxy the service does not know what its clients call it.
 * @throws {DavError} 400.
 */
export function addressOfHref(href: string): Address | undefined {
  const url = URL.parse(href, 'http://localhost')
  return url ? readAddress(url.pathname) : undefined
}
