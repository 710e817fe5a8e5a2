import { describe, expect, test } from 'bun:test'
import { phoneOf } from '../support/dav'
import { organiser } from '../support/events'
import { putText, todoLines, todoText, withoutStamps } from '../support/todo-objects'
import { useHarness } from '../support/use-harness'

const h = useHarness({ env: { DAV_ALLOW_HTTP: 'on' } })

async function start() {
  const ada = await organiser(h, 'Europe/Berlin')
  const phone = await phoneOf(h, ada)
  const list = async () => (await ada.request('GET', '/api/todos')).body.todos
  return { ada, phone, list, path: `${phone.home}todos/` }
}

describe('PUT', () => {
  test('keeps the text byte for byte under the name that the client chose, and JSON shows the todo', async () => {
    const { phone, list, path } = await start()
    const text = todoText(
      todoLines(
        'one@phone',
        'DESCRIPTION:Two lines\\nof text',
        'DUE;TZID=America/New_York:20260310T060000',
        'PRIORITY:3',
        'CATEGORIES:Home\\, garden,Other',
      ),
    )
    const made = await putText(phone, `${path}one.ics`, text, { 'if-none-match': '*' })
    expect([made.status, made.text]).toEqual([201, ''])
    const read = await phone.send('GET', `${path}one.ics`)
    expect([read.text, read.headers.get('etag')]).toEqual([text, made.headers.get('etag')])
    expect(read.headers.get('content-type')).toBe('text/calendar; charset=utf-8; component=VTODO')
    const [todo, ...others] = await list()
    expect(others).toEqual([])
    expect(todo).toMatchObject({
      title: 'Water the plants',
      description: 'Two lines\nof text',
      due_date: '2026-03-10',
      due_time: '11:00',
      priority: 'high',
      category: 'Home, garden',
      completed: false,
      recurrence: null,
      recurrence_unsupported: false,
    })
    expect(made.headers.get('etag')).toBe(`"${todo.id}-${todo.version}"`)
  })

  test('replaces a todo, and a change in JSON rewrites only the lines that it means', async () => {
    const { ada, phone, list, path } = await start()
    const lines = ['DUE;TZID=America/New_York:20260310T060000', 'CATEGORIES:Home,Other']
    await putText(phone, `${path}one.ics`, todoText(todoLines('one@phone', ...lines)))
    const text = todoText(todoLines('one@phone', ...lines, 'PRIORITY:5'))
    const replaced = await putText(phone, `${path}one.ics`, text)
    expect(replaced.status).toBe(204)
    const [{ id }] = await list()
    await ada.request('PUT', `/api/todos/${id}`, {
      body: { title: 'Feed, then water', due_time: '12:30', category: 'Garden', completed: true },
    })
    const { text: now, headers } = await phone.send('GET', `${path}one.ics`)
    expect(headers.get('etag')).not.toBe(replaced.headers.get('etag'))
    const [{ completed_at }] = await list()
    const at = `${new Date(completed_at).toISOString().replaceAll(/[-:]|\.\d+Z/g, '')}Z`
    expect(withoutStamps(now).split('\r\n')).toEqual(
      withoutStamps(
        text
          .replace('Water the plants', 'Feed\\, then water')
          .replace('T060000', 'T073000')
          .replace('CATEGORIES:Home,', 'CATEGORIES:Garden,')
          .replace(
            'BEGIN:VALARM',
            `STATUS:COMPLETED\r\nCOMPLETED:${at}\r\nPERCENT-COMPLETE:100\r\nBEGIN:VALARM`,
          ),
      ).split('\r\n'),
    )
    expect(now).toContain('SEQUENCE:1\r\n')
  })
})
