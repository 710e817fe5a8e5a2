import { describe, expect, test } from 'bun:test'
import { type Phone, phoneOf } from '../support/dav'
import { organiser } from '../support/events'
import { putText, todoText } from '../support/todo-objects'
import { useHarness } from '../support/use-harness'

const h = useHarness({ env: { DAV_ALLOW_HTTP: 'on' } })

async function start() {
  const ada = await organiser(h, 'Europe/Berlin')
  const phone = await phoneOf(h, ada)
  const other = (await ada.request('POST', '/api/todo-lists', { body: { name: 'Other' } })).body.id
  return { ada, phone, other, path: `${phone.home}todos/`, there: `${phone.home}list-${other}/` }
}

/** The summaries of the objects of a collection by their names. */
async function summaries(phone: Phone, path: string) {
  const { responses } = await phone.propfind(path, ['d:getetag'], '1')
  const hrefs = [...responses.keys()].filter((href) => href !== path)
  const texts = await Promise.all(hrefs.map((href) => phone.send('GET', href)))
  return hrefs.map((href, at) => [href.slice(path.length), /SUMMARY:(.*)\r/.exec(texts[at]?.text ?? '')?.[1]])
}

const named = (uid: string, summary: string) => todoText([`UID:${uid}`, `SUMMARY:${summary}`])

async function restoreFirst(ada: Awaited<ReturnType<typeof organiser>>) {
  const [entry] = (await ada.request('GET', '/api/trash')).body.items
  expect((await ada.request('POST', `/api/trash/${entry.id}/restore`)).status).toBe(200)
}

describe.each(['todos', 'reminders'])('of %s, no two have one name', (collection) => {
  test('though the name that follows from the UID of a restored one is that of another', async () => {
    const { ada, phone } = await start()
    const path = `${phone.home}${collection}/`
    await putText(phone, `${path}u.ics`, named('u', 'First'))
    await phone.send('DELETE', `${path}u.ics`)
    await putText(phone, `${path}u.ics`, named('v', 'Second'))
    await restoreFirst(ada)
    const found = await summaries(phone, path)
    expect(found.map(([, summary]) => summary)).toEqual(['First', 'Second'])
    expect(found[1]?.[0]).toBe('u.ics')
    expect(found[0]?.[0]).toMatch(/^[\da-f-]{36}\.ics$/)
  })

  test('though a restored one has the name that follows from the UID of another', async () => {
    const { ada, phone } = await start()
    const path = `${phone.home}${collection}/`
    await putText(phone, `${path}u.ics`, named('x', 'First'))
    await phone.send('DELETE', `${path}u.ics`)
    await putText(phone, `${path}v.ics`, named('u', 'Second'))
    await phone.send('DELETE', `${path}v.ics`)
    await putText(phone, `${path}v.ics`, named('w', 'Third'))
    await restoreFirst(ada)
    await restoreFirst(ada)
    const found = await summaries(phone, path)
    expect(new Set(found.map(([name]) => name)).size).toBe(3)
    expect(found.map(([, summary]) => summary).toSorted((a, b) => (String(a) < String(b) ? -1 : 1))).toEqual([
      'First',
      'Second',
      'Third',
    ])
  })
})

test('a todo goes by JSON where its name is taken, and where the name that follows from its UID is', async () => {
  const { ada, phone, other, path, there } = await start()
  await putText(phone, `${path}u.ics`, named('u', 'Here'))
  await putText(phone, `${there}u.ics`, named('v', 'There'))
  const [{ id }] = (await ada.request('GET', '/api/todos')).body.todos
  expect((await ada.request('PUT', `/api/todos/${id}`, { body: { list_id: other } })).status).toBe(200)
  const [moved, stayed] = await summaries(phone, there)
  expect([moved?.[1], stayed]).toEqual(['Here', ['u.ics', 'There']])
  expect(moved?.[0]).toMatch(/^[\da-f-]{36}\.ics$/)
  expect((await phone.send('GET', `${there}${moved?.[0]}`)).text).toBe(named('u', 'Here'))
})

test('a todo with a UID of ours goes where a copy of it is, and gets another one', async () => {
  const { ada, phone, other, path, there } = await start()
  const { id } = (await ada.request('POST', '/api/todos', { body: { title: 'Own' } })).body
  const [[name = ''] = []] = await summaries(phone, path)
  const text = (await phone.send('GET', `${path}${name}`)).text
  await putText(phone, `${there}copy.ics`, text.replace('SUMMARY:Own', 'SUMMARY:Copy'))
  expect((await ada.request('PUT', `/api/todos/${id}`, { body: { list_id: other } })).status).toBe(200)
  const found = await summaries(phone, there)
  expect(found.map(([, summary]) => summary)).toEqual(['Own', 'Copy'])
  const texts = await Promise.all(found.map(([one]) => phone.send('GET', `${there}${one}`)))
  const uids = texts.map((one) => /UID:(.*)\r/.exec(one.text)?.[1])
  expect(new Set(uids).size).toBe(2)
})

test('a todo comes back with its UID and name, though another list has a copy of it', async () => {
  const { ada, phone, path, there } = await start()
  const text = named('u', 'One')
  await putText(phone, `${path}u-1.ics`, text)
  const copied = await phone.send('COPY', `${path}u-1.ics`, { headers: { destination: `${there}u-1.ics` } })
  expect(copied.status).toBe(201)
  await phone.send('DELETE', `${path}u-1.ics`)
  await restoreFirst(ada)
  expect((await phone.send('GET', `${path}u-1.ics`)).text).toBe(text)
})
