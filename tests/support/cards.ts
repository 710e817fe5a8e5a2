import type { Scope } from '../../src/lib/scopes'
import { textOfChild, type XmlElement } from '../../src/lib/xml/element'
import { carddav, dav } from '../../src/lib/xml/names'
import { type DavAnswer, DAV_SCOPES, type Phone, phoneOf, PREFIXES, syncOf } from './dav'
import { organiser } from './events'
import type { Harness } from './harness'

/** What the tests of address books in /dav do over and over. */

/** A phone, its home of address books and the default one in it. */
export async function bookPhone(h: Harness, scopes: readonly Scope[] = DAV_SCOPES) {
  const ada = await organiser(h, 'Europe/Berlin')
  const phone = await phoneOf(h, ada, scopes)
  const home = `/dav/addressbooks/${phone.userId}/`
  return { ada, phone, home, path: `${home}contacts/` }
}

/** A card as a phone writes it, with lines that JSON does not know. */
export const cardOf = (uid: string, name = 'Ada', more: readonly string[] = []): string =>
  [
    'BEGIN:VCARD',
    'VERSION:3.0',
    'PRODID:-//Phone//EN',
    `UID:${uid}`,
    `N:;${name};;;`,
    `FN:${name}`,
    'item1.TEL;TYPE=home:+1 2',
    'item1.X-ABLabel:Boat',
    'X-ODD;X-Q="a;b:c":kept',
    ...more,
    'END:VCARD',
    '',
  ].join('\r\n')

/** A group as Apple writes it. */
export const groupOf = (uid: string, members: readonly string[], name = 'Friends'): string =>
  [
    'BEGIN:VCARD',
    'VERSION:3.0',
    `N:${name};;;;`,
    `FN:${name}`,
    'X-ADDRESSBOOKSERVER-KIND:group',
    ...members.map((member) => `X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:${member}`),
    `UID:${uid}`,
    'END:VCARD',
    '',
  ].join('\r\n')

export const putCard = (
  phone: Phone,
  href: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<DavAnswer> =>
  phone.send('PUT', href, { body, headers: { 'content-type': 'text/vcard; charset=utf-8', ...headers } })

export const multigetOfCards = (hrefs: readonly string[], data = '<card:address-data/>'): string =>
  `<card:addressbook-multiget ${PREFIXES}><d:prop><d:getetag/>${data}</d:prop>${hrefs
    .map((href) => `<d:href>${href}</d:href>`)
    .join('')}</card:addressbook-multiget>`

export const queryOfCards = (filter: string, data = '<card:address-data/>', more = ''): string =>
  `<card:addressbook-query ${PREFIXES}><d:prop><d:getetag/>${data}</d:prop>${filter}${more}</card:addressbook-query>`

/** The texts in an answer, by href. */
export const cardTexts = ({ responses }: Pick<DavAnswer, 'responses'>): Record<string, string | undefined> =>
  Object.fromEntries(
    [...responses].map(([href, { found }]) => [href, found.get(carddav('address-data'))?.text]),
  )

/** Syncs from a token: the tags of what is there, undefined for what is gone, and the next token. */
export async function followBook(phone: Phone, path: string, token = '', limit?: number) {
  const { status, responses, xml } = await phone.report(path, syncOf(token, limit))
  const changes = [...responses].map(([href, { status: gone, found }]) => [
    href.slice(path.length),
    gone ?? found.get(dav('getetag'))?.text,
  ])
  return { status, changes: Object.fromEntries(changes), token: textOfChild(xml, dav('sync-token')) ?? '' }
}

/** The properties of what is at an address, with their texts and children. */
export async function shown(phone: Phone, path: string, names: readonly string[]) {
  const found = (await phone.propfind(path, names)).responses.get(path)?.found
  const of = (name: string): XmlElement => {
    const property = found?.get(name)
    if (!property) throw new Error(`${path} has no ${name}`)
    return property
  }
  return {
    text: (name: string) => of(name).text,
    children: (name: string) => of(name).children,
    names: (name: string) => of(name).children.map((child) => child.name),
  }
}
