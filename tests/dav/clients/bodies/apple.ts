import type { Exchange } from './exchange'

/** Calendar and Contacts of iOS and macOS, when an account is added (accountsd, dataaccessd). */

export const SHORT = { brief: 't', prefer: 'return=minimal', 'content-type': 'text/xml' }
export const XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
export const NAMESPACES =
  'xmlns:A="DAV:" xmlns:B="urn:ietf:params:xml:ns:caldav" xmlns:C="http://calendarserver.org/ns/" xmlns:D="http://apple.com/ns/ical/" xmlns:E="http://me.com/_namespace/" xmlns:F="urn:ietf:params:xml:ns:carddav"'

const WHO_AM_I = `${XML}<A:propfind ${NAMESPACES}>
  <A:prop>
    <A:current-user-principal/>
    <A:principal-URL/>
    <A:resourcetype/>
  </A:prop>
</A:propfind>`

const PRINCIPAL = `${XML}<A:propfind ${NAMESPACES}>
  <A:prop>
    <B:calendar-home-set/>
    <B:calendar-user-address-set/>
    <A:current-user-principal/>
    <A:displayname/>
    <C:dropbox-home-URL/>
    <C:email-address-set/>
    <B:max-attendees-per-instance/>
    <C:notification-URL/>
    <A:principal-collection-set/>
    <A:principal-URL/>
    <A:resource-id/>
    <B:schedule-inbox-URL/>
    <B:schedule-outbox-URL/>
    <A:supported-report-set/>
  </A:prop>
</A:propfind>`

/** What is asked of the home and of each calendar in it. */
export const HOME = `${XML}<A:propfind ${NAMESPACES}>
  <A:prop>
    <A:add-member/>
    <C:allowed-sharing-modes/>
    <D:autoprovisioned/>
    <E:bulk-requests/>
    <B:calendar-alarm/>
    <D:calendar-color/>
    <B:calendar-description/>
    <B:calendar-free-busy-set/>
    <D:calendar-order/>
    <B:calendar-timezone/>
    <A:current-user-privilege-set/>
    <B:default-alarm-vevent-date/>
    <B:default-alarm-vevent-datetime/>
    <A:displayname/>
    <C:getctag/>
    <C:invite/>
    <D:language-code/>
    <D:location-code/>
    <A:owner/>
    <C:pre-publish-url/>
    <C:publish-url/>
    <C:push-transports/>
    <C:pushkey/>
    <A:quota-available-bytes/>
    <A:quota-used-bytes/>
    <D:refreshrate/>
    <A:resource-id/>
    <A:resourcetype/>
    <B:schedule-calendar-transp/>
    <B:schedule-default-calendar-URL/>
    <C:source/>
    <C:subscribed-strip-alarms/>
    <C:subscribed-strip-attachments/>
    <C:subscribed-strip-todos/>
    <B:supported-calendar-component-set/>
    <B:supported-calendar-component-sets/>
    <A:supported-report-set/>
    <A:sync-token/>
  </A:prop>
</A:propfind>`

const UNKNOWN_OF_CALENDAR = [
  'cs:pushkey',
  'cs:invite',
  'd:quota-used-bytes',
  'c:schedule-default-calendar-URL',
]

export const apple: readonly Exchange[] = [
  {
    title: 'begins at the host without credentials, and is asked for Basic where it is sent',
    steps: [
      {
        ask: 'PROPFIND /.well-known/caldav/',
        headers: { ...SHORT, depth: '0' },
        body: WHO_AM_I,
        isAnonymous: true,
        status: 301,
        told: { location: '/dav/', 'cache-control': 'no-cache' },
      },
      {
        ask: 'PROPFIND /dav/',
        headers: { ...SHORT, depth: '0' },
        body: WHO_AM_I,
        isAnonymous: true,
        status: 401,
        told: { 'www-authenticate': 'Basic realm="Organiser", charset="UTF-8"' },
      },
      {
        ask: 'PROPFIND /dav/',
        headers: { ...SHORT, depth: '0' },
        body: WHO_AM_I,
        status: 207,
        only: true,
        responses: {
          '/dav/': {
            holds: { 'd:current-user-principal': ['{principal}'], 'd:resourcetype': ['d:collection'] },
            silent: ['d:principal-URL'],
          },
        },
      },
    ],
  },
  {
    title: 'falls back to the root and the principals',
    steps: ['/', '/principals/'].map((path) => ({
      ask: `PROPFIND ${path}`,
      headers: { ...SHORT, depth: '0' },
      body: WHO_AM_I,
      status: 207,
      says: ['<d:current-user-principal><d:href>{principal}</d:href></d:current-user-principal>'],
    })),
  },
  {
    title:
      'asks the principal what it can do and where its calendars are: in one home, and without scheduling',
    steps: [
      {
        ask: 'OPTIONS {principal}',
        status: 200,
        told: { dav: /\b1, 3\b.*\bcalendar-access\b/, allow: /\bREPORT\b/ },
      },
      {
        ask: 'PROPFIND {principal}',
        headers: { ...SHORT, depth: '0' },
        body: PRINCIPAL,
        status: 207,
        responses: {
          '{principal}': {
            found: ['d:displayname', 'd:resource-id', 'd:supported-report-set'],
            holds: {
              'c:calendar-home-set': ['{home}'],
              'c:calendar-user-address-set': ['mailto:{email}', '{principal}', '{urn}'],
              'd:current-user-principal': ['{principal}'],
              'd:principal-URL': ['{principal}'],
              'd:principal-collection-set': ['/dav/principals/'],
            },
            texts: { 'd:resource-id': '{urn}' },
            silent: [
              'c:schedule-inbox-URL',
              'c:schedule-outbox-URL',
              'cs:notification-URL',
              'cs:dropbox-home-URL',
            ],
          },
        },
      },
      {
        ask: 'REPORT /dav/principals/',
        headers: { ...SHORT, depth: '0' },
        body: `${XML}<A:principal-search-property-set ${NAMESPACES}/>`,
        status: 200,
        says: ['principal-search-property', '<d:displayname/>'],
      },
      {
        ask: 'REPORT {principal}',
        headers: { ...SHORT, depth: '0' },
        body: `${XML}<A:expand-property ${NAMESPACES}>
  <A:property name="calendar-proxy-read-for" namespace="http://calendarserver.org/ns/">
    <A:property name="calendar-user-address-set" namespace="urn:ietf:params:xml:ns:caldav"/>
    <A:property name="email-address-set" namespace="http://calendarserver.org/ns/"/>
    <A:property name="displayname" namespace="DAV:"/>
  </A:property>
  <A:property name="calendar-proxy-write-for" namespace="http://calendarserver.org/ns/">
    <A:property name="calendar-user-address-set" namespace="urn:ietf:params:xml:ns:caldav"/>
  </A:property>
</A:expand-property>`,
        status: 207,
        responses: {
          '{principal}': { holds: { 'cs:calendar-proxy-read-for': [], 'cs:calendar-proxy-write-for': [] } },
        },
      },
    ],
  },
  {
    title: 'reads forty properties of each calendar, and is told nothing of those that are not there',
    steps: [
      {
        ask: 'PROPFIND {home}',
        headers: { ...SHORT, depth: '1' },
        body: HOME,
        status: 207,
        told: { 'preference-applied': 'return=minimal' },
        responses: {
          '{home}': {
            found: ['cs:getctag', 'd:displayname', 'c:supported-calendar-component-sets'],
            holds: { 'd:resourcetype': ['d:collection'], 'd:owner': ['{principal}'] },
            // One that syncs its home would not see what is shared with the user.
            silent: ['d:sync-token', 'd:quota-available-bytes', 'd:quota-used-bytes'],
          },
          '{calendar}': {
            found: ['d:current-user-privilege-set', 'd:supported-report-set', 'd:resource-id', 'cs:getctag'],
            texts: { 'd:displayname': 'Personal', 'a:calendar-color': /^#[0-9A-F]{6}FF$/ },
            holds: {
              'd:resourcetype': ['d:collection', 'c:calendar'],
              'c:supported-calendar-component-set': ['VEVENT'],
              'd:owner': ['{principal}'],
              'c:schedule-calendar-transp': ['c:opaque'],
              'd:sync-token': [],
            },
            silent: UNKNOWN_OF_CALENDAR,
          },
        },
      },
      {
        ask: 'PROPFIND {home}',
        headers: { 'content-type': 'text/xml', depth: '1' },
        body: HOME,
        status: 207,
        responses: { '{calendar}': { missing: UNKNOWN_OF_CALENDAR } },
      },
    ],
  },
  {
    title: 'finds the home of its contacts from the principal, also by its own well-known address',
    steps: [
      {
        ask: 'PROPFIND /.well-known/carddav',
        headers: { ...SHORT, depth: '0' },
        body: WHO_AM_I,
        isAnonymous: true,
        status: 301,
        told: { location: '/dav/' },
      },
      {
        ask: 'PROPFIND {principal}',
        headers: { ...SHORT, depth: '0' },
        body: `${XML}<A:propfind ${NAMESPACES}>
  <A:prop>
    <F:addressbook-home-set/>
    <F:directory-gateway/>
    <A:displayname/>
    <C:email-address-set/>
    <A:principal-collection-set/>
    <A:principal-URL/>
    <A:resource-id/>
    <A:supported-report-set/>
  </A:prop>
</A:propfind>`,
        status: 207,
        responses: {
          '{principal}': {
            holds: { 'card:addressbook-home-set': ['{books}'] },
            silent: ['card:directory-gateway'],
          },
        },
      },
    ],
  },
]
