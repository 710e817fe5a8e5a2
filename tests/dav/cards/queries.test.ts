import { describe, expect, test } from 'bun:test'
import { carddav, dav } from '../../../src/lib/xml/names'
import { newPerson } from '../../support/books'
import { bookPhone, cardOf, cardTexts, groupOf, putCard, queryOfCards } from '../../support/cards'
import { useHarness } from '../../support/use-harness'

const h = useHarness({ env: { DAV_ALLOW_HTTP: 'on' } })

async function start() {
  const { ada, phone, path } = await bookPhone(h)
  const emails = (name: string) => [`EMAIL;TYPE=work:${name}@example.org`, 'NICKNAME:Ä']
  await putCard(phone, `${path}ada.vcf`, cardOf('ada', 'Ada Lovelace', emails('ada')))
  await putCard(
    phone,
    `${path}grace.vcf`,
    cardOf('grace', 'Grace Hopper', ['EMAIL;TYPE=home:grace@example.net']),
  )
  await putCard(phone, `${path}team.vcf`, groupOf('team', ['ada'], 'Team'))
  const made = await newPerson(ada, 'Made in JSON')
  const ask = async (filter: string, more = '') => {
    const answer = await phone.report(path, queryOfCards(filter, '<card:address-data/>', more), {
      depth: '1',
    })
    const names = [...answer.responses.keys()].map((href) => href.slice(path.length)).toSorted()
    return { ...answer, names }
  }
  return { phone, path, ask, made: `${made}.vcf` }
}

const match = (text: string, attributes = '') => `<card:text-match ${attributes}>${text}</card:text-match>`
const property = (name: string, inner: string, attributes = '') =>
  `<card:prop-filter name="${name}" ${attributes}>${inner}</card:prop-filter>`
const filter = (inner: string, attributes = '') => `<card:filter ${attributes}>${inner}</card:filter>`

describe('addressbook-query', () => {
  test('finds people and groups by any of their lines, whoever wrote them', async () => {
    const { ask, made } = await start()
    expect((await ask(filter(''))).names).toEqual([made, 'ada.vcf', 'grace.vcf', 'team.vcf'].toSorted())
    expect((await ask(filter(property('FN', match('hopper'))))).names).toEqual(['grace.vcf'])
    expect((await ask(filter(property('FN', match('made in', 'match-type="starts-with"'))))).names).toEqual([
      made,
    ])
    expect((await ask(filter(property('NICKNAME', match('ä'))))).names).toEqual(['ada.vcf'])
    expect((await ask(filter(property('EMAIL', '')))).names).toEqual(['ada.vcf', 'grace.vcf'])
    expect((await ask(filter(property('EMAIL', '<card:is-not-defined/>')))).names).toEqual(
      [made, 'team.vcf'].toSorted(),
    )
  })

  test('combines conditions by any and all, of lines and of parameters, and negates them', async () => {
    const { ask } = await start()
    const both = property('FN', match('ada')) + property('EMAIL', match('example.net'))
    expect((await ask(filter(both))).names).toEqual(['ada.vcf', 'grace.vcf'])
    expect((await ask(filter(both, 'test="allof"'))).names).toEqual([])
    const work = `<card:param-filter name="TYPE">${match('work')}</card:param-filter>`
    expect((await ask(filter(property('EMAIL', work)))).names).toEqual(['ada.vcf'])
    const inner = match('example') + work
    expect((await ask(filter(property('EMAIL', inner, 'test="allof"')))).names).toEqual(['ada.vcf'])
    const negated = property('EMAIL', match('example.org', 'negate-condition="yes"'))
    expect((await ask(filter(negated))).names).toEqual(['grace.vcf'])
  })

  test('with a limit tells so many, and says that there are more', async () => {
    const { path, ask } = await start()
    const limit = '<card:limit><card:nresults>2</card:nresults></card:limit>'
    const { status, responses, names } = await ask(filter(''), limit)
    expect([status, names.filter((name) => name !== '')]).toEqual([207, expect.any(Array)])
    expect(responses.size).toBe(3)
    expect(responses.get(path)?.status).toBe('HTTP/1.1 507 Insufficient Storage')
    expect(responses.get(path)?.element.children[2]?.children[0]?.name).toBe(
      dav('number-of-matches-within-limits'),
    )
    const enough = await ask(filter(property('EMAIL', '')), limit)
    expect([enough.names, enough.responses.get(path)]).toEqual([['ada.vcf', 'grace.vcf'], undefined])
  })

  test('tells the lines that are asked for, byte for byte', async () => {
    const { phone, path } = await start()
    const data = '<card:address-data><card:prop name="UID"/><card:prop name="TEL"/></card:address-data>'
    const texts = cardTexts(
      await phone.report(path, queryOfCards(filter(property('FN', match('lovelace'))), data)),
    )
    expect(texts).toEqual({
      [`${path}ada.vcf`]:
        'BEGIN:VCARD\r\nVERSION:3.0\r\nUID:ada\r\nitem1.TEL;TYPE=home:+1 2\r\nEND:VCARD\r\n',
    })
  })

  test('refuses a collation and a filter that it does not know, and reports of calendars', async () => {
    const { phone, path, ask } = await start()
    const refusal = ({ status, xml }: Awaited<ReturnType<typeof ask>>) => [status, xml.children[0]?.name]
    expect(refusal(await ask(filter(property('FN', match('a', 'collation="i;none"')))))).toEqual([
      403,
      carddav('supported-collation'),
    ])
    expect((await ask(filter('<card:comp-filter name="FN"/>'))).status).toBe(403)
    expect((await ask('')).status).toBe(400)
    const body = queryOfCards('').replaceAll('card:addressbook-query', 'c:calendar-query')
    const { status, xml } = await phone.report(path, body)
    expect([status, xml.children[0]?.name]).toEqual([403, dav('supported-report')])
    const calendars = await phone.report(`${phone.home}calendar-1/`, queryOfCards(filter('')))
    expect([403, 404]).toContain(calendars.status)
  })
})
