import { expect, test } from 'bun:test'
import { childOf, textOfChild } from '../../src/lib/xml/element'
import { caldav, cs, dav } from '../../src/lib/xml/names'
import { phoneOf, PREFIXES } from '../support/dav'
import { friends } from '../support/inviting'
import { useHarness } from '../support/use-harness'

const h = useHarness({ env: { DAV_ALLOW_HTTP: 'on' } })

test('expand-property refuses what is no name of a property, so that its answer is XML', async () => {
  const phone = await phoneOf(h, await h.signedIn())
  for (const name of ['', 'a b', 'x&gt;&lt;y', '1', 'd:owner']) {
    const body = `<d:expand-property ${PREFIXES}><d:property name="${name}"/></d:expand-property>`
    expect([name, (await phone.report('/dav/', body)).status]).toEqual([name, 400])
  }
})

test('expand-property tells the properties of what a property leads to, and proxies are empty', async () => {
  const phone = await phoneOf(h, await h.signedIn())
  const path = `/dav/principals/${phone.userId}/`
  const { status, responses } = await phone.report(
    path,
    `<d:expand-property ${PREFIXES}><d:property name="calendar-home-set" namespace="urn:ietf:params:xml:ns:caldav"><d:property name="displayname"/><d:property name="none"/></d:property><d:property name="calendar-proxy-read-for" namespace="http://calendarserver.org/ns/"><d:property name="displayname"/></d:property><d:property name="displayname"/></d:expand-property>`,
  )
  expect(status).toBe(207)
  const found = responses.get(path)?.found
  const home = found?.get(caldav('calendar-home-set'))
  const [inner] = home?.children ?? []
  expect(inner && textOfChild(inner, dav('href'))).toBe(phone.home)
  expect(inner?.children.map(({ name }) => name)).toEqual([dav('href'), dav('propstat'), dav('propstat')])
  expect(found?.get(cs('calendar-proxy-read-for'))?.children).toEqual([])
  expect(found?.has(dav('displayname'))).toBe(true)
})

test('users are found by name among oneself and those with whom one is connected, and nobody else is there', async () => {
  const { ada, bob } = await friends(h)
  const stranger = await h.signedIn({ username: 'userStranger' })
  const phone = await phoneOf(h, ada)
  const set = await phone.report('/dav/principals/', `<d:principal-search-property-set ${PREFIXES}/>`)
  expect(set.status).toBe(200)
  expect(childOf(set.xml, dav('principal-search-property'))).toBeDefined()
  const search = async (match: string) => {
    const body = `<d:principal-property-search ${PREFIXES}><d:property-search><d:prop><d:displayname/></d:prop><d:match>${match}</d:match></d:property-search><d:prop><d:displayname/></d:prop></d:principal-property-search>`
    return [...(await phone.report('/dav/principals/', body)).responses.keys()]
  }
  const own = `/dav/principals/${ada.row.id}/`
  const other = `/dav/principals/${bob.row.id}/`
  expect((await search('USER')).toSorted()).toEqual([own, other].toSorted())
  expect(await search(bob.row.networkName)).toEqual([other])
  expect(await search('stranger')).toEqual([])
  const seen = await phone.propfind(other, ['d:displayname', 'c:calendar-home-set'])
  expect(seen.responses.get(other)?.found.get(dav('displayname'))?.text).toBe(bob.row.networkName)
  expect(seen.responses.get(other)?.missing).toEqual([caldav('calendar-home-set')])
  expect((await phone.propfind(`/dav/principals/${stranger.row.id}/`, ['d:displayname'])).status).toBe(404)
})
