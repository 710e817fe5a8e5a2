import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { phoneOf } from '../support/dav'
import { organiser } from '../support/events'
import { putText } from '../support/todo-objects'
import { useHarness } from '../support/use-harness'

const h = useHarness({ env: { DAV_ALLOW_HTTP: 'on' } })

/** Lines that JSON shows, each with the properties that a change of the field may touch. */
const SHOWN = fc.subarray([
  'SUMMARY;LANGUAGE=en:Water\\, feed',
  'DESCRIPTION:Two\\nlines',
  'PRIORITY:2',
  'CATEGORIES:Home,Garden',
  'DUE;TZID=Europe/Berlin:20260310T090000',
  'STATUS:IN-PROCESS',
  'PERCENT-COMPLETE:40',
])

/** Lines of which JSON knows nothing. */
const KEPT = fc.subarray([
  'X-APPLE-SORT-ORDER:12',
  'RELATED-TO;RELTYPE=PARENT:other',
  'GEO:1.5;2.5',
  'ATTACH;VALUE=URI:https://example.org/a\\,b',
  'X-LONG;X-P="a;b:c":' + 'ä'.repeat(60),
  'url:HTTPS://EXAMPLE.ORG',
  'LOCATION:',
])

const CHANGES = {
  title: ['Other', /^SUMMARY/],
  description: ['Other text', /^DESCRIPTION/],
  priority: ['low', /^PRIORITY/],
  category: ['Work', /^CATEGORIES/],
  due_date: ['2026-04-01', /^DUE/],
  completed: [true, /^(?:STATUS|COMPLETED|PERCENT-COMPLETE)/],
} as const satisfies Record<string, readonly [unknown, RegExp]>
type Field = keyof typeof CHANGES
const FIELDS: readonly Field[] = ['title', 'description', 'priority', 'category', 'due_date', 'completed']

const STAMPS = /^(?:DTSTAMP|LAST-MODIFIED|SEQUENCE)/

/** Content lines as they stand in a text, with their folds. */
const linesOf = (text: string) => text.split(/\n(?![ \t])/)

/** Folds a line after so many characters. */
const folded = (line: string, after: number, end: string) =>
  line.length > after ? `${line.slice(0, after)}${end} ${line.slice(after)}` : line

test('what a change in JSON does not mean stays byte for byte in the text of a todo, in its place', async () => {
  const ada = await organiser(h, 'Europe/Berlin')
  const phone = await phoneOf(h, ada)
  let count = 0
  const texts = fc.record({
    shown: SHOWN,
    kept: KEPT,
    seed: fc.array(fc.nat(), { minLength: 20, maxLength: 20 }),
    after: fc.integer({ min: 20, max: 74 }),
    end: fc.constantFrom('\r\n', '\n'),
    fields: fc.subarray([...FIELDS], { minLength: 1 }),
  })
  await fc.assert(
    fc.asyncProperty(texts, async ({ shown, kept, seed, after, end, fields }) => {
      const uid = `todo-${++count}@phone`
      const mixed = [...shown, ...kept]
        .map((line, at) => [seed[at] ?? 0, line] as const)
        .toSorted(([one], [other]) => one - other)
        .map(([, line]) => folded(line, after, end))
      const lines = ['BEGIN:VTODO', `UID:${uid}`, 'DTSTAMP:20260301T100000Z', ...mixed]
      const alarm = ['BEGIN:VALARM', 'ACTION:DISPLAY', 'TRIGGER:-PT5M', 'SUMMARY:Alarm', 'END:VALARM']
      const whole = [
        'BEGIN:VCALENDAR',
        'VERSION:2.0',
        'PRODID:x',
        ...lines,
        ...alarm,
        'END:VTODO',
        'END:VCALENDAR',
        '',
      ]
      const text = whole.join(end)
      const href = `${phone.home}todos/${count}.ics`
      expect((await putText(phone, href, text)).status).toBe(201)
      const [id] = /\d+/.exec((await phone.send('GET', href)).headers.get('etag') ?? '') ?? []
      const body = Object.fromEntries(fields.map((field) => [field, CHANGES[field][0]]))
      expect((await ada.request('PUT', `/api/todos/${id}`, { body })).status).toBe(200)
      const now = (await phone.send('GET', href)).text
      const isMeant = (line: string) =>
        STAMPS.test(line) ||
        (line !== 'SUMMARY:Alarm' && fields.some((field) => CHANGES[field][1].test(line)))
      const rest = (of: string) => linesOf(of).filter((line) => !isMeant(line.trimEnd()))
      expect(rest(now)).toEqual(rest(text))
    }),
    { numRuns: 60 },
  )
}, 120_000)
