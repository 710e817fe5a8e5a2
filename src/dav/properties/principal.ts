import { caldav, carddav, cs, dav } from '../../lib/xml/names'
import { element, escapeXml, textElement } from '../../lib/xml/write'
import { homeHref } from '../address'
import type { PrincipalResource, Resource } from '../resources'
import { ANY, href, type Property, privileges, reports, USER_URN, uuidUrn } from './shared'

const PRINCIPAL_REPORTS = [
  'expand-property',
  'principal-search-property-set',
  'principal-property-search',
].map(dav)

/** `/dav/` and the list of principals. */
export const ROOT_PROPERTIES = new Map<string, Property<Resource>>([
  ...ANY,
  [dav('resourcetype'), () => element(dav('collection'))],
  [dav('displayname'), () => 'Organiser'],
  [dav('current-user-privilege-set'), () => privileges('read')],
  [dav('supported-report-set'), () => reports(PRINCIPAL_REPORTS)],
])

const empty = () => ''
const isSelf = ({ userId }: PrincipalResource, own: number) => userId === own

/** A user (contract: dav.properties). The homes of others are nobody else's business. */
export const PRINCIPAL_PROPERTIES = new Map<string, Property<PrincipalResource>>([
  ...ANY,
  [dav('resourcetype'), () => element(dav('principal'))],
  [dav('displayname'), ({ name }) => escapeXml(name)],
  [dav('owner'), (principal) => href(principal.href)],
  [dav('resource-id'), ({ userId }) => href(uuidUrn(USER_URN, userId))],
  [dav('principal-URL'), (principal) => href(principal.href)],
  [dav('alternate-URI-set'), empty],
  [dav('group-membership'), empty],
  [dav('group-member-set'), empty],
  [dav('current-user-privilege-set'), () => privileges('read')],
  [dav('supported-report-set'), () => reports(PRINCIPAL_REPORTS)],
  [
    caldav('calendar-home-set'),
    (one, { user }) =>
      isSelf(one, user.session.userId) ? href(homeHref('calendars', one.userId)) : undefined,
  ],
  [
    carddav('addressbook-home-set'),
    (one, { user }) =>
      isSelf(one, user.session.userId) ? href(homeHref('addressbooks', one.userId)) : undefined,
  ],
  [
    caldav('calendar-user-address-set'),
    ({ email, href: address, userId }) =>
      [...(email === null ? [] : [`mailto:${email}`]), address, uuidUrn(USER_URN, userId)].map(href).join(''),
  ],
  [caldav('calendar-user-type'), () => 'INDIVIDUAL'],
  [cs('email-address-set'), ({ email }) => (email === null ? '' : textElement(cs('email-address'), email))],
  [cs('calendar-proxy-read-for'), empty],
  [cs('calendar-proxy-write-for'), empty],
])
