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
const UNKNOWN_METHODS = `POST, MOVE, COPY, LOCK, ACL, PATCH:
  405 everywhere`

export const OWNER = `OPTIONS:
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
PROPPATCH:
  207 me, home, home 2, collection
  403 root, principals, object
  404 them, ${NOT_THEIRS}
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
${UNKNOWN_METHODS}
DELETE:
  204 collection, object
  403 root, principals, me, home, home 2
  404 them, ${NOT_THEIRS}`

export const READER = `OPTIONS:
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
PROPPATCH, DELETE:
  403 root, principals, me, home, home 2, collection, object
  404 them, ${NOT_THEIRS}
PUT:
  403 object, no object
  404 nowhere
  405 ${NO_OBJECTS}
  409 below it, in it, their object
make, MKCOL:
  403 ${ALL_BUT_NOWHERE}
  404 nowhere
${UNKNOWN_METHODS}`

export const BLIND = `OPTIONS:
  200 everywhere
GET, HEAD:
  200 root, principals, me, home, home 2
  404 ${NOTHING_SEEN}
PROPFIND 0, PROPFIND 1, PROPNAME, expand-property, principal search:
  207 root, principals, me, home, home 2
  404 ${NOTHING_SEEN}
multiget, query, sync-collection, PROPPATCH, DELETE:
  403 root, principals, me, home, home 2
  404 ${NOTHING_SEEN}
PUT:
  404 nowhere
  405 ${NO_OBJECTS}
  409 object, no object, below it, in it, their object
make, MKCOL:
  403 ${ALL_BUT_NOWHERE}
  404 nowhere
${UNKNOWN_METHODS}`

export const STRANGER = `OPTIONS:
  200 everywhere
GET, HEAD:
  200 root, principals, me, home, home 2
  404 ${NOTHING_SEEN}
PROPFIND 0, PROPFIND 1, PROPNAME, expand-property, principal search:
  207 root, principals, me, home, home 2
  404 ${NOTHING_SEEN}
multiget, query, sync-collection, DELETE:
  403 root, principals, me, home, home 2
  404 ${NOTHING_SEEN}
PROPPATCH:
  207 me, home, home 2
  403 root, principals
  404 ${NOTHING_SEEN}
PUT:
  404 nowhere
  405 ${NO_OBJECTS}
  409 object, no object, below it, in it, their object
make:
  201 no collection
  403 ${NOT_NEW}
  404 nowhere
MKCOL:
  403 ${ALL_BUT_NOWHERE}
  404 nowhere
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
${UNKNOWN_METHODS}
DELETE:
  204 collection
  403 root, principals, me, them, home, home 2, object
  404 ${NOT_THEIRS}`

export const NOBODY = `OPTIONS:
  200 everywhere
GET, HEAD, PROPFIND 0, PROPFIND 1, PROPNAME, multiget, query, sync-collection, expand-property, principal search, PROPPATCH, PUT, make, MKCOL, POST, MOVE, COPY, LOCK, ACL, PATCH, DELETE:
  401 everywhere`
