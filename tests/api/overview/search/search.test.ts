import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { array, assert, asyncProperty, constantFrom, oneof, string, stringMatching } from 'fast-check'
import { type Actor } from '../../../support/harness'
import { find, search, titles } from '../../../support/searching'
import { createPerson, createReminder, createTodo, make } from '../../../support/records'
import { useHarness } from '../../../support/use-harness'

setDefaultTimeout(60_000)

const h = useHarness()

const EVENT = { start_at: '2026-03-05T09:00:00Z', end_at: '2026-03-05T10:00:00Z' }

/** Somebody who has a record of each kind, each of which has the word. */
async function owner(word: string) {
  const actor = await h.signedIn()
  const event = await make(actor, '/api/events', { ...EVENT, title: `${word} event` })
  const todo = await createTodo(actor, { title: `${word} todo` })
  const reminder = await createReminder(actor, { title: `${word} reminder` })
  const project = await make(actor, '/api/projects', { name: `${word} project` })
  const task = await make(actor, `/api/projects/${project.id}/tasks`, { title: `${word} task` })
  const person = await createPerson(actor, { first_name: word, last_name: 'Person' })
  return { ...actor, made: { event, todo, reminder, project, task, person } }
}

const todoOf = (actor: Actor, title: string, description?: string) =>
  createTodo(actor, { title, ...(description !== undefined && { description }) })

describe('a search', () => {
  test('finds records of every kind, with the project of a task', async () => {
    const { made, ...ada } = await owner('Garden')
    const results = await find(ada, 'garden')
    expect(results.map(({ type, id, title, parent_id }) => ({ type, id, title, parent_id }))).toEqual([
      { type: 'event', id: made.event.id, title: 'Garden event', parent_id: null },
      { type: 'person', id: made.person.id, title: 'Garden Person', parent_id: null },
      { type: 'project', id: made.project.id, title: 'Garden project', parent_id: null },
      { type: 'reminder', id: made.reminder.id, title: 'Garden reminder', parent_id: null },
      { type: 'task', id: made.task.id, title: 'Garden task', parent_id: made.project.id },
      { type: 'todo', id: made.todo.id, title: 'Garden todo', parent_id: null },
    ])
    for (const { rank, snippet } of results) {
      expect(rank).toBeGreaterThan(1)
      expect(snippet).toBeNull()
    }
  })

  test('finds only the kinds that are asked for, named in the plural, and 422 names them', async () => {
    const { made: _, ...ada } = await owner('Kind')
    const kinds = {
      events: 'event',
      todos: 'todo',
      reminders: 'reminder',
      projects: 'project',
      tasks: 'task',
      people: 'person',
    }
    for (const [types, type] of Object.entries(kinds)) {
      expect((await find(ada, 'kind', { types })).map((found) => found.type)).toEqual([type])
    }
    expect((await find(ada, 'kind', { types: 'todos, people' })).map(({ type }) => type)).toEqual([
      'person',
      'todo',
    ])
    for (const types of ['', 'todo', 'todos,', 'todos,calendars', ',', 'todos people']) {
      const { status, body } = await search(ada, 'kind', { types })
      expect([status, body.errors?.[0].field]).toEqual([422, 'query.types'])
    }
    expect((await search(ada, 'kind', { types: 'comments' })).body.detail).toBe(
      'types: must be a comma-separated list of events, todos, reminders, projects, tasks, people',
    )
  })

  test('finds words by their beginnings, whatever their accents and case', async () => {
    const ada = await h.signedIn()
    await createPerson(ada, { last_name: 'Müller', address: 'Lange Straße 1, Łódź' })
    for (const q of ['mull', 'müll', 'MULL', 'Müller', 'mu\u0308ller', 'm', 'lodz', 'Łódź', 'LÓD']) {
      expect(await titles(ada, q)).toEqual(['Müller'])
    }
    for (const q of ['Straße', 'strasse', 'STRASSE', 'stra', 'STRAẞE']) {
      expect(await titles(ada, q)).toEqual(['Müller'])
    }
    for (const q of ['uller', 'mullers', 'traße']) expect(await titles(ada, q)).toEqual([])
  })

  test.each([
    ['ØRSTED Ærø', ['orsted', 'ørsted', 'aero']],
    ['İstanbul Diyarbakır', ['istanbul', 'diyarbakir', 'DIYARBAKIR']],
    ['ΟΔΟΣ ύπνος', ['οδος', 'οδοσ', 'υπνος', 'ΎΠΝΟΣ']],
    ['Đorđe Þór œuvre', ['dorde', 'thor', 'oeuvre', 'ŒUVRE']],
    ['ﬁne ＦＵＬＬ ½', ['fine', 'full', '1 2', '½']],
    ['हिन्दी 한글 日本語', ['हिन्दी', 'हिन', '한', '日本']],
    ['cake 🎂 party ❤️', ['🎂', '❤', '❤️']],
    ['co\u00adoperate', ['cooperate', 'co\u00adop']],
    ["O'Brien’s “quoted” well-known_thing", ['brien', "o'brien", 'quoted', 'known', 'thing', 'well-known']],
    ['bill of 12.50€ (paid)', ['12.50', '50', 'paid', '"paid"']],
  ])('finds %s by what people type for it', async (title, queries) => {
    const ada = await h.signedIn()
    await todoOf(ada, title)
    await todoOf(ada, 'Something else')
    for (const q of queries) expect([q, await titles(ada, q)]).toEqual([q, [title]])
  })

  test('finds people by parts of e-mail addresses and telephone numbers, however these are spaced', async () => {
    const ada = await h.signedIn()
    await createPerson(ada, {
      nickname: 'Grace',
      email: 'grace.hopper@navy.example.org',
      phone: '+49 170 1234567',
      mobile: '(030) 555-12 34',
      job_title: 'Rear Admiral',
      company: 'Navy',
      category: 'Heroes',
      notes: 'Nanoseconds',
    })
    const queries = ['hopper', 'navy.example', 'grace.hopper@navy.example.org', '+49 170', '1234', '030 555']
    const numbers = ['+491701234567', '0305551234', '49170']
    for (const q of [...queries, ...numbers, 'admiral', 'hero', 'nano']) {
      expect([q, await titles(ada, q)]).toEqual([q, ['Grace']])
    }
  })

  test('finds what has all of the words, in the title or in the texts', async () => {
    const ada = await h.signedIn()
    await todoOf(ada, 'Call the plumber', 'About the kitchen')
    await todoOf(ada, 'Call mother')
    expect(await titles(ada, 'kitch call')).toEqual(['Call the plumber'])
    expect(await titles(ada, 'call mother kitchen')).toEqual([])
    expect(await titles(ada, 'ca call cal c')).toHaveLength(2)
  })

  test('shows records with the words in the title before all that have them in the texts, the best first', async () => {
    const ada = await h.signedIn()
    const often = 'violin '.repeat(200)
    await todoOf(ada, 'Practise', often)
    await todoOf(ada, 'Buy rosin', 'for the violin')
    await todoOf(ada, `A very long title about many things and at its end the violin`)
    await make(ada, '/api/events', { ...EVENT, title: 'Lesson', location: 'Violin school' })
    const results = await find(ada, 'violin')
    expect(results[0]?.title).toEndWith('the violin')
    expect(results.map(({ title }) => title).slice(1)).toContainValues(['Practise', 'Buy rosin', 'Lesson'])
    expect(results.map(({ rank }) => rank)).toEqual(results.map(({ rank }) => rank).toSorted((a, b) => b - a))
    expect(results[0]?.rank).toBeGreaterThan(1)
    expect(results[1]?.rank).toBeLessThanOrEqual(1)
    expect(results[1]?.title).toBe('Practise')
  })

  test('orders equals by type and id, and shows as many as the limit, 50 unless given', async () => {
    const ada = await h.signedIn()
    for (let i = 0; i < 60; i++) await todoOf(ada, 'Equal')
    await createReminder(ada, { title: 'Equal' })
    const results = await find(ada, 'equal', { limit: '200' })
    expect(results.map(({ type }) => type)).toEqual(['reminder', ...Array<string>(60).fill('todo')])
    const ids = results.slice(1).map(({ id }) => id)
    expect(ids).toEqual(ids.toSorted((a, b) => a - b))
    expect(await find(ada, 'equal')).toEqual(results.slice(0, 50))
    expect(await find(ada, 'equal', { limit: '1' })).toEqual(results.slice(0, 1))
    for (const limit of ['0', '201', 'x', '-1']) {
      expect((await search(ada, 'equal', { limit })).status).toBe(422)
    }
  })

  test('shows the texts around the first hit, and nothing of them where only the title has one', async () => {
    const ada = await h.signedIn()
    const text = `${'Before it. '.repeat(30)}\n\nThe Café opens at nine.  ${'After it. '.repeat(30)}`
    await todoOf(ada, 'Breakfast', text)
    await todoOf(ada, 'The café', 'A short\ntext')
    await todoOf(ada, 'Short', ' At  the\ncafé ')
    const results = await find(ada, 'cafe')
    const snippets = new Map(results.map(({ title, snippet }) => [title, snippet]))
    expect(snippets.get('The café')).toBeNull()
    expect(snippets.get('Short')).toBe('At the café')
    expect(snippets.get('Breakfast')).toMatch(/^…Before it\. .*The Café opens at nine\. After it\..*…$/)
    expect(snippets.get('Breakfast')?.length).toBeLessThanOrEqual(160)
  })

  test('reflects what was changed and deleted at once', async () => {
    const { made, ...ada } = await owner('Before')
    await ada.request('PUT', `/api/todos/${made.todo.id}`, { body: { title: 'After' } })
    expect((await find(ada, 'after')).map(({ type, id }) => [type, id])).toEqual([['todo', made.todo.id]])
    expect(await find(ada, 'before', { types: 'todos' })).toEqual([])
    await ada.request('PUT', `/api/people/${made.person.id}`, { body: { notes: 'Afterwards' } })
    expect((await find(ada, 'afterw')).map(({ type }) => type)).toEqual(['person'])
    await ada.request('DELETE', `/api/projects/${made.project.id}`)
    await ada.request('DELETE', `/api/events/${made.event.id}`)
    await ada.request('DELETE', `/api/reminders/${made.reminder.id}`)
    expect((await find(ada, 'before')).map(({ type }) => type)).toEqual(['person'])
  })

  test('needs 1 to 200 characters that can be stored', async () => {
    const ada = await h.signedIn()
    for (const query of ['', '?q=', '?q=%20%20', `?q=${'x'.repeat(201)}`, '?q=a%00b']) {
      const { status, body } = await ada.request('GET', `/api/search${query}`)
      expect([query, status, body.errors?.[0].field]).toEqual([query, 422, 'query.q'])
    }
    expect((await search(ada, '🎂'.repeat(200))).status).toBe(200)
    expect(await search(h, 'ada')).toMatchObject({ status: 401 })
  })

  test('finds nothing by what is no word', async () => {
    const { made: _, ...ada } = await owner('Word')
    for (const q of ['!', '" \' \\', '* : & | !', '()', '<->', "':*", '—', '+', '%', '_', '\u00ad\u0301']) {
      expect([q, await find(ada, q)]).toEqual([q, []])
    }
  })

  test('answers whatever is typed with 200 or 422, and only with what is there', async () => {
    const { made: _, ...ada } = await owner('Hostile')
    const syntax = constantFrom(
      ...`'"\\&|!:*<->()#%$/= \u0000\u00a0ﷺ`.split(''),
      'hostile',
      'Ho',
      '\u0301',
      "':A",
    )
    const texts = oneof(
      string({ unit: 'binary', minLength: 1, maxLength: 200 }),
      string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
      array(syntax, { minLength: 1, maxLength: 40 }).map((parts) => parts.join('')),
    )
    await assert(
      asyncProperty(texts, async (text) => {
        const { status, body } = await search(ada, text)
        expect([200, 422]).toContain(status)
        for (const { title } of status === 200 ? body.results : []) expect(title).toStartWith('Hostile')
      }),
      { numRuns: 300 },
    )
  })

  test('finds a record by each of its own words, whatever these are', async () => {
    const ada = await h.signedIn()
    await assert(
      asyncProperty(stringMatching(/^[\p{L}\p{N}]{1,30}$/u), async (word) => {
        const { id } = await todoOf(ada, `Some ${word} here`, word)
        const found = await find(ada, word, { limit: '200' })
        expect(found.map((one) => one.id)).toContain(id)
        await ada.request('DELETE', `/api/todos/${id}`)
      }),
      { numRuns: 100 },
    )
  })

  test('keeps the longest texts that the service takes', async () => {
    const ada = await h.signedIn()
    const words = Array.from({ length: 2500 }, (_, i) => i.toString(36).padStart(3, 'q'))
    const longest = [
      'x'.repeat(10_000),
      '\ufdfa'.repeat(10_000),
      '🎂 '.repeat(5000),
      words.join(' ').slice(0, 10_000),
    ]
    for (const description of longest) await todoOf(ada, 'Long', description)
    expect(await find(ada, 'x'.repeat(200))).toHaveLength(1)
    expect(await find(ada, words[2400] ?? '')).toHaveLength(1)
  })
})
