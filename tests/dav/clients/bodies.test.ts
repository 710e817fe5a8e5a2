import { describe, expect, test } from 'bun:test'
import { xmlReader } from '../../../src/adapters/xml'
import { childOf, type XmlElement } from '../../../src/lib/xml/element'
import { caldav, carddav, cs, dav, ical } from '../../../src/lib/xml/names'
import { type DavAnswer, phoneOf, sendDav } from '../../support/dav'
import { eventText } from '../../support/household'
import { useHarness } from '../../support/use-harness'
import { apple } from './bodies/apple'
import { appleSync } from './bodies/apple-sync'
import {
  appleContacts,
  davx5Contacts,
  evolutionContacts,
  thunderbirdContacts,
  vdirsyncerContacts,
} from './bodies/contacts'
import { davx5 } from './bodies/davx5'
import { evolution } from './bodies/evolution'
import type { Exchange, Expected, Step } from './bodies/exchange'
import { kde } from './bodies/kde'
import { pythonCaldav } from './bodies/python-caldav'
import { thunderbird } from './bodies/thunderbird'
import { vdirsyncer } from './bodies/vdirsyncer'

const CLIENTS = {
  'Apple’s programs': [...apple, ...appleSync, ...appleContacts],
  DAVx5: [...davx5, ...davx5Contacts],
  Thunderbird: [...thunderbird, ...thunderbirdContacts],
  GNOME: [...evolution, ...evolutionContacts],
  KDE: kde,
  vdirsyncer: [...vdirsyncer, ...vdirsyncerContacts],
  'python-caldav': pythonCaldav,
}

const h = useHarness({ env: { DAV_ALLOW_HTTP: 'on' } })

const LUNCH = eventText('lunch', 'Lunch')
const CHOIR = eventText('choir', 'Choir', {
  start: 'DTSTART;TZID=Europe/Berlin:20160106T190000',
  more: [
    'RRULE:FREQ=WEEKLY',
    'ATTENDEE;PARTSTAT=ACCEPTED:mailto:ada@example.org',
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    'DESCRIPTION:Choir',
    'TRIGGER:-PT15M',
    'END:VALARM',
  ],
})

const CARD = [
  'BEGIN:VCARD',
  'VERSION:3.0',
  'UID:eve',
  'FN:Eve Example',
  'N:Example;Eve;;;',
  'EMAIL;TYPE=HOME:eve@example.org',
  'X-SOMETHING;PARAM="a:b":kept',
  'END:VCARD',
  '',
].join('\r\n')

/** What names in fixtures stand for: the prefixes of the requests of the tests. */
const SPACES: Readonly<Record<string, (local: string) => string>> = {
  d: dav,
  c: caldav,
  card: carddav,
  cs,
  a: ical,
  push: (local) => `{https://bitfire.at/webdav-push}${local}`,
}
function nameOf(spelled: string): string {
  const [prefix = '', local = ''] = spelled.split(':')
  const space = SPACES[prefix]
  if (!space) throw new Error(`no prefix ${prefix}`)
  return space(local)
}

/** Somebody with a lunch and a weekly choir in a calendar, a card in an address book, and the places of all. */
async function account() {
  const email = `${crypto.randomUUID()}@example.org`
  const phone = await phoneOf(h, await h.signedIn({ email }))
  const { responses } = await phone.propfind(phone.home, ['d:displayname'], '1')
  const calendar = [...responses.keys()].find((path) => path !== phone.home) ?? ''
  const books = `/dav/addressbooks/${phone.userId}/`
  const book = `${books}contacts/`
  const put = async (path: string, body: string) =>
    (await phone.send('PUT', path, { body })).headers.get('etag') ?? ''
  const principal = `/dav/principals/${phone.userId}/`
  const places = new Map([
    ['principal', principal],
    ['home', phone.home],
    ['books', books],
    ['book', book],
    ['eve', `${book}eve.vcf`],
    ['eveTag', await put(`${book}eve.vcf`, CARD)],
    ['card', CARD],
    ['calendar', calendar],
    ['lunch', `${calendar}lunch.ics`],
    ['lunchTag', await put(`${calendar}lunch.ics`, LUNCH)],
    ['choir', `${calendar}choir.ics`],
    ['choirTag', await put(`${calendar}choir.ics`, CHOIR)],
    ['text', eventText('new', 'New')],
    ['email', email],
    ['urn', `urn:uuid:00000000-0000-4000-8001-${phone.userId.toString(16).padStart(12, '0')}`],
  ])
  return { phone, places }
}

async function walk({ steps }: Exchange): Promise<void> {
  const { phone, places } = await account()
  const say = (text: string) =>
    text
      .replace(/\{(\w+)\}/g, (whole, name: string) => places.get(name) ?? whole)
      .replaceAll('$1', () => places.get('$1') ?? '$1')
  for (const step of steps) {
    const [method = '', path = ''] = say(step.ask).split(/ (.*)/)
    const headers = Object.fromEntries(
      Object.entries(step.headers ?? {}).map(([name, value]) => [name, say(value)]),
    )
    const sent = { headers, ...(step.body !== undefined && { body: say(step.body) }) }
    const answer = step.isAnonymous
      ? await sendDav(h, method, path, sent)
      : await phone.send(method, path, sent)
    judge(step, answer, say)
    const [, kept] = step.keeps?.exec(answer.text) ?? []
    if (kept !== undefined) places.set('$1', kept)
  }
}

type Say = (text: string) => string

/** Compares an answer with what its step says, and with what holds for all. */
function judge(step: Step, answer: DavAnswer, say: Say): void {
  const at = `${step.ask}\n${answer.text}`
  expect([answer.status, at]).toEqual([step.status, at])
  for (const [name, value] of Object.entries(step.told ?? {}))
    agree(answer.headers.get(name) ?? '', value, say)
  for (const text of step.says ?? []) expect([isIn(answer, text, say), text, at]).toEqual([true, text, at])
  for (const text of step.never ?? []) expect([isIn(answer, text, say), text, at]).toEqual([false, text, at])
  expect(answer.headers.get('dav') ?? '').not.toMatch(/\b2\b|schedule|managed|sharing|proxy/)
  if (answer.status === 207) judgeMultistatus(step, answer, say)
}

const isIn = ({ text }: DavAnswer, wanted: string | RegExp, say: Say): boolean =>
  typeof wanted === 'string' ? text.includes(say(wanted)) : wanted.test(text)

function judgeMultistatus(step: Step, answer: DavAnswer, say: Say): void {
  expect(answer.headers.get('content-type')).toBe('application/xml; charset=utf-8')
  const expected = new Map(Object.entries(step.responses ?? {}).map(([path, one]) => [say(path), one]))
  if (step.only) expect([...answer.responses.keys()].toSorted()).toEqual([...expected.keys()].toSorted())
  for (const [path, response] of answer.responses) {
    expect(path).toStartWith('/dav/')
    judgeCompleteness(step, response)
  }
  for (const [path, one] of expected) {
    const response = answer.responses.get(path)
    expect(response && path).toBe(path)
    if (response) judgeResponse(one, response, say)
  }
}

/** Each property is answered: found, or named as missing, or left out where the client wants a short answer. */
function judgeCompleteness(step: Step, { found, missing }: Response): void {
  const asked = askedIn(step)
  if (step.headers?.['brief'] === 't') expect(missing).toEqual([])
  else if (asked.length > 0) expect([...found.keys(), ...missing].toSorted()).toEqual([...asked])
}

type Response = DavAnswer['responses'] extends ReadonlyMap<string, infer One> ? One : never

function judgeResponse(expected: Expected, { found, missing, status }: Response, say: Say): void {
  expect(status).toBe(expected.status)
  const present = [...found.keys()]
  expect(present).toEqual(expect.arrayContaining((expected.found ?? []).map(nameOf)))
  expect(missing).toEqual(expect.arrayContaining((expected.missing ?? []).map(nameOf)))
  for (const name of (expected.silent ?? []).map(nameOf)) expect([...present, ...missing]).not.toContain(name)
  for (const [name, text] of Object.entries(expected.texts ?? {}))
    agree(textOf(found.get(nameOf(name))), text, say)
  for (const [name, held] of Object.entries(expected.holds ?? {}))
    expect([name, heldIn(found.get(nameOf(name)))]).toEqual([name, held.map(say).map(shortName)])
}

/** The text of a property, or of the href in it. */
const textOf = (property: XmlElement | undefined): string | undefined =>
  property && (childOf(property, dav('href'))?.text ?? property.text)

/** What is in a property: hrefs as they are, components by their names, and the names of other elements. */
const heldIn = (property: XmlElement | undefined): readonly string[] | undefined =>
  property?.children.map(({ name, text, attributes }) =>
    name === dav('href') ? text : (attributes.get('name') ?? name),
  )

const shortName = (one: string): string => (/^(?:d|c|card):[a-z-]+$/.test(one) ? nameOf(one) : one)

function agree(text: string | undefined, expected: string | RegExp, say: Say): void {
  if (typeof expected !== 'string') expect(text).toMatch(expected)
  // XML readers turn line ends into single ones.
  else expect(text?.replaceAll('\r\n', '\n')).toBe(say(expected).replaceAll('\r\n', '\n'))
}

/** The properties that a PROPFIND names, in order. */
function askedIn({ ask, body }: Step): readonly string[] {
  if (!ask.startsWith('PROPFIND') || body === undefined) return []
  return (childOf(xmlReader.read(body), dav('prop'))?.children ?? []).map(({ name }) => name).toSorted()
}

for (const [client, exchanges] of Object.entries(CLIENTS)) {
  describe(client, () => {
    for (const exchange of exchanges) test(exchange.title, () => walk(exchange))
  })
}
