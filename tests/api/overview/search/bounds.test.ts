import { expect, setDefaultTimeout, test } from 'bun:test'
import { type Actor } from '../../../support/harness'
import { find, search, titles } from '../../../support/searching'
import { createTodo } from '../../../support/records'
import { useHarness } from '../../../support/use-harness'

setDefaultTimeout(120_000)

const h = useHarness()

const todoOf = (actor: Actor, title: string, description = '') => createTodo(actor, { title, description })
const LETTERS = 'abcdefghijklmnopqrst'.split('')
const spaced = LETTERS.join(' ')

test('many words of one letter are answered for, however often long texts have them', async () => {
  const ada = await h.signedIn()
  const description = Array.from({ length: 5000 }, (_, n) => LETTERS[n % LETTERS.length]).join(' ')
  for (let n = 0; n < 200; n++) await todoOf(ada, `zebra ${n}`, description)
  for (const q of [spaced, spaced.slice(0, 15), 'z a b c d e f g']) {
    const { status, body } = await search(ada, q, { limit: '200' })
    expect([status, body.results?.length]).toEqual([200, 200])
  }
})

test('the first eight words of a search count, and each once', async () => {
  const ada = await h.signedIn()
  await todoOf(ada, 'one two three four five six seven eight')
  const eight = 'one two three four five six seven eight'
  for (const q of [eight, `${eight} nine`, `${eight} nine ten`, `one One ONE on ${eight.slice(4)}`]) {
    expect([q, await titles(ada, q)]).toEqual([q, ['one two three four five six seven eight']])
  }
  expect(await titles(ada, 'nine two three four five six seven eight')).toEqual([])
  expect(await titles(ada, 'one two three four five six seven nine eight')).toEqual([])
})

test('a snippet is of the first 2000 characters of a text, and what has hits after them is found without', async () => {
  const ada = await h.signedIn()
  await todoOf(ada, 'early', `${'🎂 '.repeat(990)} needle`)
  await todoOf(ada, 'late', `${'hay '.repeat(500)} needle`)
  await todoOf(ada, 'torn', `${'hay '.repeat(499)}needles`)
  const snippetsFor = async (q: string) =>
    Object.fromEntries((await find(ada, q)).map(({ title, snippet }) => [title, snippet]))
  const early = expect.stringMatching(/^….*needle$/u)
  expect(await snippetsFor('needle')).toEqual({ early, late: null, torn: null })
  const torn = expect.stringMatching(/^….*hay need…$/)
  expect(await snippetsFor('need')).toEqual({ early, late: null, torn })
})

test('a text with many words that begin as asked stands after every title that has one', async () => {
  const ada = await h.signedIn()
  await todoOf(ada, 'Zoo', Array.from({ length: 500 }, (_, n) => `animal${n}`).join(' '))
  await todoOf(ada, `${'Much else '.repeat(18)}and an animal`)
  const [first, second] = await find(ada, 'anim')
  expect(first?.title).toEndWith('an animal')
  expect(second?.title).toBe('Zoo')
  expect([(first?.rank ?? 0) > 1, (second?.rank ?? 2) < 1]).toEqual([true, true])
})
