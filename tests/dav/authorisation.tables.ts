import type { DavKind } from '../support/dav-kinds'

/** What `matrixOf` answers for each kind of caller; the addresses are those of `authorisation.requests.ts`. */

const NOT_THEIRS =
  'their home, no object, no collection, below it, not seen, in it, theirs, their object, nowhere'
const NOTHING_SEEN =
  'them, their home, collection, object, no object, no collection, below it, not seen, in it, theirs, their object, nowhere'
const NO_OBJECTS =
  'root, principals, me, them, home, home 2, their home, collection, no collection, not seen, theirs'
const NOT_NEW =
  'root, principals, me, them, home, home 2, their home, collection, object, no object, below it, not seen, in it, theirs, their object'
const ALL_BUT_NOWHERE =
  'root, principals, me, them, home, home 2, their home, collection, object, no object, no collection, below it, not seen, in it, theirs, their object'
const ALL = `${ALL_BUT_NOWHERE}, nowhere`
const NO_COLLECTIONS =
  'root, principals, me, them, home, home 2, their home, object, no object, below it, in it, their object'
const UNKNOWN_METHODS = `LOCK, ACL, PATCH:
  405 everywhere`

/** PUT where no collection is (RFC 4918 says 409, RFC 6352 nothing). */
const putInto = (home: DavKind['home'], missing: string): string =>
  home === 'calendars'
    ? `  404 nowhere
  405 ${NO_OBJECTS}
  409 ${missing}`
    : `  404 ${missing}, nowhere
  405 ${NO_OBJECTS}`

const postTo = (status: number) => `POST:
  ${status} collection
  404 no collection, not seen, theirs, nowhere
  405 ${NO_COLLECTIONS}`

/** A list without some of its places. */
const without = (list: string, ...places: readonly string[]): string =>
  list
    .split(', ')
    .filter((place) => !places.includes(place))
    .join(', ')

const OWN_HOMES = 'root, principals, me, home, home 2'

/** What COPY answers those who write, from each place and to each: a copy in its own collection has the UID of another. */
const copyFrom = (homes: string, notTheirs: string) => `COPY:
  403 ${homes}, collection
  404 ${notTheirs}
  409 object`
const COPY_TO = `COPY to:
  403 ${without(ALL, 'no object', 'below it', 'in it')}
  409 no object, below it, in it`

const moving = (homes: string, notTheirs: string) => `MOVE:
  201 object
  403 ${homes}, collection
  404 ${notTheirs}
${copyFrom(homes, notTheirs)}
MOVE to:
  201 no object
  403 ${without(ALL, 'no object', 'below it', 'in it')}
  409 below it, in it
${COPY_TO}`

const MOVED_BY_READERS = `MOVE to, COPY to:
  403 ${without(ALL, 'below it', 'in it')}
  409 below it, in it`

/** An app password opens everything, or collections of one kind only. */
export function ownerOf(kind: DavKind, opens: 'all' | 'one' = 'one'): string {
  const { home, name } = kind
  // Every user has one collection of reminders, at the same address, and nobody deletes it.
  const isOneEach = name === 'reminders'
  // An address that is not called by an id is free in every other home.
  const isFreeElsewhere = isOneEach || name === 'mixed'
  return `OPTIONS:
  200 everywhere
GET, HEAD:
  200 ${OWN_HOMES}, collection, object
  404 them, ${NOT_THEIRS}
PROPFIND 0, PROPFIND 1, PROPNAME, expand-property, principal search:
  207 ${OWN_HOMES}, collection, object
  404 them, ${NOT_THEIRS}
multiget, query, sync-collection:
  207 collection
  403 ${OWN_HOMES}, object
  404 them, ${NOT_THEIRS}
PROPPATCH:
  207 me, home, ${opens === 'all' ? 'home 2, ' : ''}collection
  403 root, principals, ${opens === 'all' ? '' : 'home 2, '}object
  404 them, ${NOT_THEIRS}
PUT:
  201 no object
  204 object
${putInto(home, 'below it, in it, their object')}
make:
  201 no collection${isFreeElsewhere ? ', not seen' : ''}
  403 ${isFreeElsewhere ? without(NOT_NEW, 'not seen') : NOT_NEW}
  404 nowhere
MKCOL:
  403 ${ALL_BUT_NOWHERE}
  404 nowhere
${postTo(201)}
${moving(OWN_HOMES, `them, ${NOT_THEIRS}`)}
${UNKNOWN_METHODS}
DELETE:
  204 ${isOneEach ? '' : 'collection, '}object
  403 ${OWN_HOMES}${isOneEach ? ', collection' : ''}
  404 them, ${NOT_THEIRS}`
}

export const readerOf = (home: DavKind['home']): string => `OPTIONS:
  200 everywhere
GET, HEAD:
  200 root, principals, me, home, home 2, collection, object
  404 them, ${NOT_THEIRS}
PROPFIND 0, PROPFIND 1, PROPNAME, expand-property, principal search:
  207 root, principals, me, home, home 2, collection, object
  404 them, ${NOT_THEIRS}
multiget, query, sync-collection:
  207 collection
  403 root, principals, me, home, home 2, object
  404 them, ${NOT_THEIRS}
PROPPATCH, MOVE, COPY, DELETE:
  403 root, principals, me, home, home 2, collection, object
  404 them, ${NOT_THEIRS}
PUT:
  403 object, no object
${putInto(home, 'below it, in it, their object')}
make, MKCOL:
  403 ${ALL_BUT_NOWHERE}
  404 nowhere
${postTo(403)}
${MOVED_BY_READERS}
${UNKNOWN_METHODS}`

export const BLIND = `OPTIONS:
  200 everywhere
GET, HEAD:
  200 root, principals, me, home, home 2
  404 ${NOTHING_SEEN}
PROPFIND 0, PROPFIND 1, PROPNAME, expand-property, principal search:
  207 root, principals, me, home, home 2
  404 ${NOTHING_SEEN}
multiget, query, sync-collection, PROPPATCH, MOVE, COPY, DELETE:
  403 root, principals, me, home, home 2
  404 ${NOTHING_SEEN}
PUT:
  404 object, no object, below it, in it, their object, nowhere
  405 ${NO_OBJECTS}
make, MKCOL:
  403 ${ALL_BUT_NOWHERE}
  404 nowhere
POST:
  404 collection, no collection, not seen, theirs, nowhere
  405 ${NO_COLLECTIONS}
MOVE to, COPY to:
  404 everywhere
${UNKNOWN_METHODS}`

/** `free` are addresses in the own home that are called as collections of the owner, but not by their ids. */
export const strangerOf = (home: DavKind['home'], free: readonly string[] = []): string => `OPTIONS:
  200 everywhere
GET, HEAD:
  200 root, principals, me, home, home 2
  404 ${NOTHING_SEEN}
PROPFIND 0, PROPFIND 1, PROPNAME, expand-property, principal search:
  207 root, principals, me, home, home 2
  404 ${NOTHING_SEEN}
multiget, query, sync-collection, MOVE, COPY, DELETE:
  403 root, principals, me, home, home 2
  404 ${NOTHING_SEEN}
PROPPATCH:
  207 me, home, home 2
  403 root, principals
  404 ${NOTHING_SEEN}
PUT:
${putInto(home, 'object, no object, below it, in it, their object')}
make:
  201 ${ALL_BUT_NOWHERE.split(', ')
    .filter((place) => place === 'no collection' || free.includes(place))
    .join(', ')}
  403 ${without(NOT_NEW, ...free)}
  404 nowhere
MKCOL:
  403 ${ALL_BUT_NOWHERE}
  404 nowhere
POST:
  404 collection, no collection, not seen, theirs, nowhere
  405 ${NO_COLLECTIONS}
MOVE to, COPY to:
  404 everywhere
${UNKNOWN_METHODS}`

export const WRITING_MEMBER = `OPTIONS:
  200 everywhere
GET, HEAD:
  200 root, principals, me, them, home, home 2, collection, object
  404 ${NOT_THEIRS}
PROPFIND 0, PROPFIND 1, PROPNAME, expand-property, principal search:
  207 root, principals, me, them, home, home 2, collection, object
  404 ${NOT_THEIRS}
multiget, query, sync-collection:
  207 collection
  403 root, principals, me, them, home, home 2, object
  404 ${NOT_THEIRS}
PROPPATCH:
  207 me, them, home, home 2, collection
  403 root, principals, object
  404 ${NOT_THEIRS}
PUT:
  201 no object
  204 object
  404 nowhere
  405 ${NO_OBJECTS}
  409 below it, in it, their object
make:
  201 no collection
  403 ${NOT_NEW}
  404 nowhere
MKCOL:
  403 ${ALL_BUT_NOWHERE}
  404 nowhere
${postTo(201)}
${moving('root, principals, me, them, home, home 2', NOT_THEIRS)}
${UNKNOWN_METHODS}
DELETE:
  204 collection, object
  403 root, principals, me, them, home, home 2
  404 ${NOT_THEIRS}`

export const READING_MEMBER = `OPTIONS:
  200 everywhere
GET, HEAD:
  200 root, principals, me, them, home, home 2, collection, object
  404 ${NOT_THEIRS}
PROPFIND 0, PROPFIND 1, PROPNAME, expand-property, principal search:
  207 root, principals, me, them, home, home 2, collection, object
  404 ${NOT_THEIRS}
multiget, query, sync-collection:
  207 collection
  403 root, principals, me, them, home, home 2, object
  404 ${NOT_THEIRS}
PROPPATCH:
  207 me, them, home, home 2, collection
  403 root, principals, object
  404 ${NOT_THEIRS}
PUT:
  403 object, no object
  404 nowhere
  405 ${NO_OBJECTS}
  409 below it, in it, their object
make:
  201 no collection
  403 ${NOT_NEW}
  404 nowhere
MKCOL:
  403 ${ALL_BUT_NOWHERE}
  404 nowhere
${postTo(403)}
MOVE, COPY:
  403 root, principals, me, them, home, home 2, collection, object
  404 ${NOT_THEIRS}
${MOVED_BY_READERS}
${UNKNOWN_METHODS}
DELETE:
  204 collection
  403 root, principals, me, them, home, home 2, object
  404 ${NOT_THEIRS}`

export const NOBODY = `OPTIONS:
  200 everywhere
GET, HEAD, PROPFIND 0, PROPFIND 1, PROPNAME, multiget, query, sync-collection, expand-property, principal search, PROPPATCH, PUT, make, MKCOL, POST, MOVE, COPY, MOVE to, COPY to, LOCK, ACL, PATCH, DELETE:
  401 everywhere`
