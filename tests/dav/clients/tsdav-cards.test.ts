import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createDAVClient, type DAVAddressBook, fetchAddressBooks } from 'tsdav'
import { type Household, startHousehold } from '../../support/household'

const stack = new AsyncDisposableStack()
let own: Household
let client: Awaited<ReturnType<typeof clientOf>>

const clientOf = () =>
  createDAVClient({
    serverUrl: `${own.url}/`,
    credentials: { username: own.user, password: own.token },
    authMethod: 'Basic',
    defaultAccountType: 'carddav',
  })

const card = (uid: string, name: string) =>
  `BEGIN:VCARD\r\nVERSION:3.0\r\nUID:${uid}\r\nFN:${name}\r\nN:${name};;;;\r\nX-SOMETHING;PARAM="a:b":kept\r\nEND:VCARD\r\n`

async function theBook(): Promise<DAVAddressBook> {
  const [book] = await client.fetchAddressBooks()
  if (!book) throw new Error('there is no address book')
  return book
}

const lastPart = ({ url }: { readonly url: string }) => url.slice(url.lastIndexOf('/') + 1)

describe('tsdav, for contacts', () => {
  beforeAll(async () => {
    own = await startHousehold(stack)
    client = await clientOf()
  }, 60_000)
  afterAll(() => stack.disposeAsync())

  test('finds the address book from the host, and its reports', async () => {
    const book = await theBook()
    expect(book).toMatchObject({ url: `${own.url}/dav/addressbooks/1/contacts/` })
    const reports = await client.supportedReportSet({ collection: book })
    expect(reports).toEqual(
      expect.arrayContaining(['addressbookQuery', 'addressbookMultiget', 'syncCollection']),
    )
  })

  test('creates, reads, updates and deletes cards by the version that it knows', async () => {
    const addressBook = await theBook()
    const vCardString = card('one', 'One')
    const create = () => client.createVCard({ addressBook, filename: 'one.vcf', vCardString })
    expect((await create()).status).toBe(201)
    expect((await create()).status).toBe(412)
    const [vCard] = await client.fetchVCards({ addressBook })
    if (!vCard) throw new Error('there is no card')
    expect([lastPart(vCard), vCard.data]).toEqual(['one.vcf', vCardString.trimEnd()])
    const changed = { ...vCard, data: card('one', 'Uno') }
    expect((await client.updateVCard({ vCard: changed })).status).toBe(204)
    expect((await client.updateVCard({ vCard: changed })).status).toBe(412)
    expect((await client.deleteVCard({ vCard })).status).toBe(412)
    const [newest] = await client.fetchVCards({ addressBook, useMultiGet: true })
    expect(newest?.data).toContain('FN:Uno')
    if (newest) expect((await client.deleteVCard({ vCard: newest })).status).toBe(204)
    expect(await client.fetchVCards({ addressBook })).toEqual([])
  })

  test('finds cards by a filter, and follows what changed', async () => {
    const before = await theBook()
    for (const name of ['kept', 'found', 'gone'])
      await client.createVCard({
        addressBook: before,
        filename: `${name}.vcf`,
        vCardString: card(name, name),
      })
    const match = { _attributes: { 'match-type': 'contains' }, _text: 'oun' }
    const queried = await client.addressBookQuery({
      url: before.url,
      props: { 'd:getetag': {} },
      filters: { 'prop-filter': { _attributes: { name: 'FN' }, 'text-match': match } },
      depth: '1',
    })
    expect(queried.map(({ href }) => href)).toEqual(['/dav/addressbooks/1/contacts/found.vcf'])
    const [since] = await fetchAddressBooks({
      account: { ...(await account()) },
      headers: { authorization: own.authorization },
    })
    await client.deleteObject({ url: `${before.url}gone.vcf` })
    const told = await client.syncCollection({
      url: before.url,
      props: { 'd:getetag': {} },
      ...(since?.syncToken && { syncToken: since.syncToken }),
    })
    expect(told.map(({ href, status }) => [href, status])).toEqual([
      ['/dav/addressbooks/1/contacts/gone.vcf', 404],
    ])
    expect((await client.isCollectionDirty({ collection: since ?? before })).isDirty).toBe(true)
  })
})

const account = () => client.createAccount({ account: { accountType: 'carddav' } })
