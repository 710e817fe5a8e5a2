import { describe, expect, test } from 'bun:test'
import { caldav, carddav, cs, dav } from '../../src/lib/xml/names'
import { childOf, textOfChild } from '../../src/lib/xml/element'
import { phoneOf, propfindOf, sendDav } from '../support/dav'
import { useHarness } from '../support/use-harness'

const h = useHarness({ env: { DAV_ALLOW_HTTP: 'on' } })
const newPhone = async () => phoneOf(h, await h.signedIn({ email: null }))

describe('a client that knows only the host', () => {
  test('is sent to /dav/ from the well-known addresses, with any method and without credentials', async () => {
    for (const path of [
      '/.well-known/caldav',
      '/.well-known/caldav/',
      '/.well-known/carddav',
      '/.well-known/carddav/',
    ])
      for (const method of ['GET', 'HEAD', 'PROPFIND', 'OPTIONS', 'POST', 'REPORT']) {
        const { status, headers } = await sendDav(h, method, path)
        expect([method, path, status]).toEqual([method, path, 301])
        expect(headers.get('location')).toBe('/dav/')
        expect(headers.get('cache-control')).toBe('no-cache')
      }
  })

  test('learns from OPTIONS what the service speaks, without credentials, and nothing that is not whole', async () => {
    for (const path of ['/', '/principals/', '/dav', '/dav/', '/dav/calendars/1/', '/dav/principals/1/']) {
      const { status, headers, text } = await sendDav(h, 'OPTIONS', path)
      expect([path, status, text]).toEqual([path, 200, ''])
      expect(headers.get('allow')).toContain('PROPFIND')
      const classes = headers.get('dav')?.split(', ') ?? []
      expect(classes).toContain('calendar-access')
      expect(classes).not.toContain('2')
      expect(classes.filter((name) => /schedule|managed|sharing|proxy/.test(name))).toEqual([])
      expect(headers.get('access-control-allow-origin')).toBeNull()
      expect(headers.get('set-cookie')).toBeNull()
    }
  })

  test('learns which methods the kind of an address takes, from OPTIONS and from a 405', async () => {
    const phone = await newPhone()
    const everywhere = ['GET', 'HEAD', 'OPTIONS', 'PROPFIND', 'REPORT']
    const collection = `${phone.home}calendar-${await calendarOf(phone)}/`
    const taken: ReadonlyArray<readonly [path: string, more: readonly string[]]> = [
      ['/dav/', []],
      ['/dav/nowhere/', []],
      [`/dav/principals/${phone.userId}/`, ['PROPPATCH']],
      [phone.home, ['PROPPATCH']],
      [collection, ['DELETE', 'MKCALENDAR', 'MKCOL', 'POST', 'PROPPATCH']],
      [`${collection}x.ics`, ['COPY', 'DELETE', 'MOVE', 'PUT']],
    ]
    for (const [path, more] of taken)
      for (const method of ['OPTIONS', 'LOCK']) {
        const { headers } = await phone.send(method, path)
        const allowed = headers.get('allow')?.split(', ').toSorted()
        expect([method, path, allowed]).toEqual([method, path, [...everywhere, ...more].toSorted()])
      }
  })

  test('is asked for credentials by PROPFIND of the root, the principals and /dav/', async () => {
    for (const path of ['/', '/principals/', '/dav/', '/dav/principals/', '/dav/calendars/1/'])
      expect((await sendDav(h, 'PROPFIND', path, { headers: { depth: '0' } })).status).toBe(401)
  })

  test('finds its principal from each of them, and the homes from the principal, which are three addresses', async () => {
    const phone = await newPhone()
    for (const path of ['/', '/principals/', '/dav', '/dav/', '/dav/principals/']) {
      const { status, responses } = await phone.propfind(path, ['d:current-user-principal'])
      expect(status).toBe(207)
      const [answer] = responses.values()
      const principal = answer?.found.get(dav('current-user-principal'))
      expect(principal && textOfChild(principal, dav('href'))).toBe(`/dav/principals/${phone.userId}/`)
    }
    const path = `/dav/principals/${phone.userId}/`
    const { responses } = await phone.propfind(path, [
      'c:calendar-home-set',
      'card:addressbook-home-set',
      'd:displayname',
      'c:calendar-user-address-set',
      'd:principal-URL',
      'cs:calendar-proxy-read-for',
      'c:schedule-inbox-URL',
    ])
    const answer = responses.get(path)
    const hrefs = (name: string) =>
      answer?.found
        .get(name)
        ?.children.filter((child) => child.name === dav('href'))
        .map(({ text }) => text)
    expect(hrefs(caldav('calendar-home-set'))).toEqual([`/dav/calendars/${phone.userId}/`])
    expect(hrefs(carddav('addressbook-home-set'))).toEqual([`/dav/addressbooks/${phone.userId}/`])
    expect(hrefs(caldav('calendar-user-address-set'))).toEqual([path, expect.stringMatching(/^urn:uuid:/)])
    expect(hrefs(cs('calendar-proxy-read-for'))).toEqual([])
    expect(answer?.missing).toEqual([caldav('schedule-inbox-URL')])
  })

  test('is told the e-mail of its user where there is one', async () => {
    const phone = await phoneOf(h, await h.signedIn({ email: 'ada@example.org' }))
    const { responses } = await phone.propfind(`/dav/principals/${phone.userId}/`, [
      'c:calendar-user-address-set',
    ])
    const [answer] = responses.values()
    const set = answer?.found.get(caldav('calendar-user-address-set'))
    expect(set && textOfChild(set, dav('href'))).toBe('mailto:ada@example.org')
  })
})

describe('PROPFIND', () => {
  test('without a body tells the live properties of RFC 4918, and neither privileges nor texts', async () => {
    const phone = await newPhone()
    for (const body of [undefined, `<propfind xmlns="DAV:"><allprop/></propfind>`]) {
      const { responses } = await phone.send(
        'PROPFIND',
        `${phone.home}calendar-${await calendarOf(phone)}/`,
        {
          headers: { depth: '0' },
          ...(body !== undefined && { body }),
        },
      )
      const [answer] = responses.values()
      const names = [...(answer?.found.keys() ?? [])]
      expect(names).toContain(dav('resourcetype'))
      expect(names).toContain(dav('displayname'))
      expect(names).not.toContain(dav('current-user-privilege-set'))
      expect(names).not.toContain(caldav('calendar-data'))
      expect(answer?.missing).toEqual([])
    }
  })

  test('adds what include names, and tells only names for propname', async () => {
    const phone = await newPhone()
    const path = `${phone.home}calendar-${await calendarOf(phone)}/`
    const include = `<propfind xmlns="DAV:"><allprop/><include><supported-report-set/></include></propfind>`
    const all = await phone.send('PROPFIND', path, { headers: { depth: '0' }, body: include })
    expect([...(all.responses.get(path)?.found.keys() ?? [])]).toContain(dav('supported-report-set'))
    const named = await phone.send('PROPFIND', path, {
      headers: { depth: '0' },
      body: '<propfind xmlns="DAV:"><propname/></propfind>',
    })
    const found = named.responses.get(path)?.found ?? new Map()
    expect([...found.keys()]).toContain(dav('sync-token'))
    expect([...found.values()].filter(({ text, children }) => text !== '' || children.length > 0)).toEqual([])
  })

  test('names missing properties unless the client wants a short answer', async () => {
    const phone = await newPhone()
    const ask = (headers: Record<string, string>) =>
      phone.propfind(phone.home, ['d:displayname', 'd:quota-used-bytes'], '0', headers)
    expect((await ask({})).responses.get(phone.home)?.missing).toEqual([dav('quota-used-bytes')])
    const wishes: Array<Record<string, string>> = [{ brief: 't' }, { prefer: 'return=minimal' }]
    for (const headers of wishes) {
      const { responses } = await ask(headers)
      expect(responses.get(phone.home)?.missing).toEqual([])
      expect(responses.get(phone.home)?.found.has(dav('displayname'))).toBe(true)
    }
  })

  test('of all depths is refused above collections, and means one level in them', async () => {
    const phone = await newPhone()
    const collection = `${phone.home}calendar-${await calendarOf(phone)}/`
    for (const depth of [undefined, 'infinity']) {
      const headers: Record<string, string> = depth === undefined ? {} : { depth }
      const body = propfindOf(['d:displayname'])
      const refused = await phone.send('PROPFIND', phone.home, { headers, body })
      expect(refused.status).toBe(403)
      expect(childOf(refused.xml, dav('propfind-finite-depth'))).toBeDefined()
      expect((await phone.send('PROPFIND', collection, { headers, body })).status).toBe(207)
    }
    expect((await phone.send('PROPFIND', phone.home, { headers: { depth: '2' } })).status).toBe(400)
  })

  test('refuses XML that is none, has a document type, or is nested too deep', async () => {
    const phone = await newPhone()
    const bomb =
      '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><propfind xmlns="DAV:"><prop><x>&b;</x></prop></propfind>'
    const deep = `<propfind xmlns="DAV:"><prop>${'<a>'.repeat(40)}${'</a>'.repeat(40)}</prop></propfind>`
    const wide = `<propfind xmlns="DAV:"><prop><a ${Array.from({ length: 70 }, (_, i) => `a${i}="1"`).join(' ')}/></prop></propfind>`
    const many = `<propfind xmlns="DAV:"><prop>${'<a/>'.repeat(60_000)}</prop></propfind>`
    const names = Array.from({ length: 600 }, (_, n) => `<a${n}/>`).join('')
    for (const body of [
      many,
      `<propfind xmlns="DAV:"><prop>${names}</prop></propfind>`,
      bomb,
      deep,
      wide,
      '<propfind',
      'x',
      '<a/><b/>',
      '<x xmlns="DAV:"/>',
      '<d:propfind/>',
      '<propfind xmlns="DAV:"><prop>&nbsp;</prop></propfind>',
      '\u0000',
    ])
      expect([
        body.slice(0, 30),
        (await phone.send('PROPFIND', phone.home, { headers: { depth: '0' }, body })).status,
      ]).toEqual([body.slice(0, 30), 400])
  })

  test('finds nothing of other users, and nothing that is not there', async () => {
    const phone = await newPhone()
    const other = await newPhone()
    const foreign = await calendarOf(other)
    for (const path of [
      other.home,
      `${other.home}calendar-${foreign}/`,
      `${phone.home}calendar-${foreign}/`,
      `/dav/principals/${other.userId}/`,
      '/dav/principals/99999999/',
      '/dav/x/',
      `${phone.home}calendar-0/`,
      `${phone.home}..%2F${other.userId}/`,
      `${phone.home}a/b/c/`,
    ])
      expect([path, (await phone.propfind(path, ['d:displayname'])).status]).toEqual([path, 404])
    expect((await phone.propfind(`${phone.home}%FF/`, ['d:displayname'])).status).toBe(400)
  })
})

describe('an app password without a scope of calendars', () => {
  test('has an empty home, and nothing below it', async () => {
    const ada = await h.signedIn()
    const all = await phoneOf(h, ada)
    const phone = await phoneOf(h, ada, ['dav', 'people:write'])
    const { status, responses } = await phone.propfind(phone.home, ['d:displayname'], '1')
    expect([status, [...responses.keys()]]).toEqual([207, [phone.home]])
    expect(
      (await phone.propfind(`${phone.home}calendar-${await calendarOf(all)}/`, ['d:displayname'])).status,
    ).toBe(404)
  })
})

/** The id of the phone's first calendar. */
async function calendarOf(phone: Awaited<ReturnType<typeof newPhone>>): Promise<number> {
  const { responses } = await phone.propfind(phone.home, ['d:displayname'], '1')
  const [, path = ''] = [...responses.keys()]
  return Number(/calendar-(\d+)\/$/.exec(path)?.[1])
}
