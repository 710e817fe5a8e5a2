import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'bun:test'
import type { Scope } from '../../src/lib/scopes'
import { PASSWORD } from '../support/harness'
import { answerOf, rawServer, requestOf } from '../support/raw-server'
import { blockOf, fileText, substitute } from '../support/readme'
import {
  fileOf,
  homeAssistant,
  type Kitchen,
  type N8nWorkflow,
  type Recipe,
  readRecipes,
  render,
  runAsCron,
  runScript,
  runWorkflow,
  send,
  type Sent,
  shortcutOf,
  startScript,
} from '../support/recipes'
import { until } from '../support/service'
import { openKitchens } from '../support/recipes.kitchens'
import { useStarted } from '../support/use-started'

const DAY_MS = 86_400_000

/** Days beside today, far enough that neither midnight nor a time zone matters. */
const dayFrom = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)

const world = useStarted('file', openKitchens, (opened) => opened[Symbol.asyncDispose]())

interface Tried {
  readonly recipe: Recipe
  readonly kitchen: Kitchen
  /** How long something may take to show. */
  readonly waitMs: number
}

/** The titles of the things that an action made. */
async function added(type: 'todo' | 'reminder', action: () => Promise<unknown>): Promise<string[]> {
  const changes = (since: string) =>
    world.ada('GET', `/api/changes?types=${type}&limit=500&since=${encodeURIComponent(since)}`)
  const { next } = await changes('now')
  await action()
  const made = (await changes(next)).changes as ReadonlyArray<{ item: { title: string } }>
  return made.map(({ item }) => item.title)
}

interface Shown {
  readonly type: string
  readonly item: { readonly title: string }
}

/** What must be true after each recipe was tried; it throws where it is not. */
const DOES: Readonly<Record<string, (tried: Tried) => Promise<void>>> = {
  'curl: add a todo': async ({ recipe, kitchen }) => {
    expect(await added('todo', () => runScript(recipe.block('sh'), kitchen))).toEqual(['Buy milk'])
  },

  'curl: the events of today': async ({ recipe, kitchen }) => {
    const title = `Around today ${crypto.randomUUID()}`
    const around = { all_day: true, start_date: dayFrom(-3), end_date: dayFrom(3) }
    await world.ada('POST', '/api/events', { title, ...around })
    await world.ada('POST', '/api/events', { ...around, title: 'Later', start_date: dayFrom(3) })
    const { events } = JSON.parse(await runScript(recipe.block('sh'), kitchen))
    const found = events.map((event: { title: string }) => event.title)
    expect(found).toContain(title)
    expect(found).not.toContain('Later')
  },

  'cron: everything in a file, each night': async ({ recipe, kitchen }) => {
    const title = `Kept ${crypto.randomUUID()}`
    await world.ada('POST', '/api/todos', { title })
    await world.ada('POST', '/api/people', { first_name: title })
    await world.ada('POST', '/api/events', {
      title,
      all_day: true,
      start_date: dayFrom(0),
      end_date: dayFrom(0),
    })
    await runAsCron(recipe, kitchen)
    const files = await Array.fromAsync(new Bun.Glob('organiser-*.json*').scan(kitchen.home))
    expect(files).toEqual([expect.stringMatching(/^organiser-[1-7]\.json$/)])
    const { todos, people, events } = JSON.parse(await fileOf(kitchen, files[0] ?? ''))
    expect([todos.at(-1).title, people.at(-1).first_name, events.at(-1).title]).toEqual([title, title, title])
  },

  'cron: what is overdue, each Monday': async ({ recipe, kitchen }) => {
    const title = `Say "Hello", \\ ${crypto.randomUUID()}`
    await world.ada('POST', '/api/todos', { title, due_date: dayFrom(-3) })
    await world.ada('POST', '/api/todos', { title: 'Not due', due_date: dayFrom(3) })
    await world.ada('POST', '/api/todos', { title: 'Done', due_date: dayFrom(-3), completed: true })
    const printed = (await runAsCron(recipe, kitchen)).trim().split('\n')
    const titles = printed.map((line) => JSON.parse(line))
    expect(titles).toContain(title)
    expect(titles).not.toContain('Not due')
    expect(titles).not.toContain('Done')
  },

  'cron: a reminder of the shopping, each Friday': async ({ recipe, kitchen }) => {
    const thrice = async () => {
      for (let time = 0; time < 3; time += 1) await runAsCron(recipe, kitchen)
    }
    expect(await added('reminder', thrice)).toEqual(['Shopping list'])
  },

  'Home Assistant: a command and a sensor': async ({ recipe, kitchen }) => {
    const { rest_command, rest, automation } = homeAssistant(recipe, kitchen) as {
      rest_command: { organiser_todo: Sent & { payload: string; content_type: string } }
      rest: [
        {
          resource: string
          headers: Record<string, string>
          sensor: [{ value_template: string; json_attributes: string[] }]
        },
      ]
      automation: [{ actions: [{ action: string; data: { title: string; key: string } }] }]
    }
    const { action, data } = automation[0].actions[0]
    expect(action).toBe('rest_command.organiser_todo')
    const trigger = { to_state: { context: { id: crypto.randomUUID() } } }
    const variables = { title: data.title, key: render(data.key, { trigger }) }
    const { organiser_todo: command } = rest_command
    const headers = Object.entries(command.headers).map(([name, value]) => [name, render(value, variables)])
    const request = {
      url: command.url,
      method: command.method.toUpperCase(),
      headers: { ...Object.fromEntries(headers), 'content-type': command.content_type },
      body: render(command.payload, variables),
    }
    const twice = async () => [await send(request, kitchen), await send(request, kitchen)]
    expect(await added('todo', twice)).toEqual([data.title])

    const [{ resource, headers: reading, sensor }] = rest
    const count = async () => {
      const value_json = await send({ url: resource, method: 'GET', headers: reading }, kitchen)
      return Number(render(sensor[0].value_template, { value_json }))
    }
    const before = await count()
    await world.ada('POST', '/api/todos', { title: 'Late', due_date: dayFrom(-3) })
    expect(await count()).toBe(before + 1)
  },

  'Home Assistant: at once': async ({ recipe, kitchen, waitMs }) => {
    const { automation } = Bun.YAML.parse(recipe.block('yaml')) as {
      automation: [{ triggers: [{ webhook_id: string }]; actions: [{ target: { entity_id: string } }] }]
    }
    await using hooks = await rawServer(() => answerOf(''))
    const HOOK = substitute(/`(http:[^`]+)`/.exec(recipe.text)?.[1] ?? '', {
      'http://homeassistant.local:8123': hooks.url,
    })
    expect(HOOK).toEndWith(`/${automation[0].triggers[0].webhook_id}`)
    await using _ = startScript(recipe.block('sh'), kitchen, { HOOK })
    const heard = () =>
      hooks.requests
        .map(requestOf)
        .flatMap(({ json }) => json.changes.map(({ type }: { type: string }) => type))
    // It begins at no moment that shows from outside.
    const hears = async () => {
      await world.ada('POST', '/api/todos', { title: 'Heard' })
      await Bun.sleep(100)
      return heard().includes('todo')
    }
    await until(hears, waitMs)
    expect(requestOf(hooks.requests[0]).line).toStartWith('POST /api/webhook/organiser-changed ')
  },

  'n8n: each morning, a reminder of each overdue todo': async ({ kitchen }) => {
    const workflow: N8nWorkflow = JSON.parse(await fileText('src/deploy/recipes/n8n.json'))
    const title = `Overdue ${crypto.randomUUID()}`
    await world.ada('POST', '/api/todos', { title, due_date: dayFrom(-3) })
    await world.ada('POST', '/api/todos', { title: 'Not due', due_date: dayFrom(3) })
    const [yesterday, day] = [dayFrom(-1), dayFrom(0)]
    const today = {
      minus: ({ days }: { days: number }) => ({ toISODate: () => (days === 1 ? yesterday : 'unknown') }),
      plus: ({ hours }: { hours: number }) => ({ toISO: () => `${day}T0${hours}:00:00.000+00:00` }),
    }
    const run = () => runWorkflow(workflow, kitchen, { execution: title, today })
    const twice = async () => [await run(), await run()]
    const reminders = await added('reminder', twice)
    expect(reminders).toContain(`Overdue: ${title}`)
    expect(reminders).not.toContain('Overdue: Not due')
    expect(new Set(reminders).size).toBe(reminders.length)
  },

  'Apple Shortcuts: add a todo': async ({ recipe, kitchen }) => {
    const request = shortcutOf(recipe, kitchen.token, {
      'Provided Input': 'Call "Bob"',
      'Formatted Date': new Date().toISOString(),
    })
    const twice = async () => [await send(request, kitchen), await send(request, kitchen)]
    expect(await added('todo', twice)).toEqual(['Call "Bob"'])
  },

  'curl: follow what changes': async ({ recipe, kitchen, waitMs }) => {
    const shownBy = async (title: string) => {
      await using script = startScript(recipe.block('sh'), kitchen)
      const shows = () => script.printed().includes(title)
      await until(shows, waitMs)
      const lines = script.printed().trim().split('\n')
      return lines.flatMap((line) => JSON.parse(line).changes as ReadonlyArray<Shown>)
    }
    const reading = shownBy('Now and then')
    const outcome = reading.then(
      () => 'shown',
      () => 'never shown',
    )
    // It begins at no moment that shows from outside.
    const isOver = async () => {
      await world.ada('POST', '/api/todos', { title: 'Now and then' })
      return Promise.race([outcome, Bun.sleep(100)])
    }
    await until(isOver)
    expect((await reading).every(({ type }) => type === 'todo')).toBe(true)
    const missed = `Meanwhile ${crypto.randomUUID()}`
    await world.ada('POST', '/api/todos', { title: missed })
    expect((await shownBy(missed)).map(({ item }) => item.title)).toContain(missed)
  },
}

const recipes = await readRecipes()

test('each of the ten recipes is tried', () => {
  expect(recipes.map(({ title }) => title)).toEqual(Object.keys(DOES))
  expect(recipes).toHaveLength(10)
})

/** Tries a recipe with a token of the scopes, in a home folder of its own. */
async function tryOut(recipe: Recipe, scopes: readonly Scope[], waitMs: number): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'organiser-recipe-'))
  try {
    const kitchen = { url: world.url, token: await world.tokenOf(scopes), home }
    await DOES[recipe.title]?.({ recipe, kitchen, waitMs })
  } finally {
    await rm(home, { recursive: true })
  }
}

/** The scopes with one of them narrowed to reading, or left out; a token has at least one. */
const narrowed = (scopes: readonly Scope[], scope: Scope): readonly Scope[] => {
  const others = scopes.filter((other) => other !== scope)
  const reading = scope.replace(/:write$/, ':read') as Scope
  return reading === scope ? [...others, 'notifications:write'] : [...others, reading]
}

describe.each(recipes)('the recipe "$title"', (recipe) => {
  test('does what it says, as it stands, with a token of the scopes that it names', async () => {
    await tryOut(recipe, recipe.scopes, 20_000)
  })

  test('needs each of the scopes that it names', async () => {
    for (const scope of recipe.scopes) {
      const outcome = await tryOut(recipe, narrowed(recipe.scopes, scope), 1500).then(
        () => `works without ${scope}`,
        () => 'fails',
      )
      expect(outcome).toBe('fails')
    }
  })
})

test('the command that makes a token makes one of the first recipe', async () => {
  const home = await mkdtemp(join(tmpdir(), 'organiser-recipe-'))
  try {
    const kitchen = { url: world.url, token: '', home }
    const login = `curl -s -c cookies.txt ${world.url}/api/auth/login -H 'content-type: application/json' -d '${JSON.stringify({ username: 'ada', password: PASSWORD })}'`
    await runScript(login, kitchen)
    const command = substitute(await blockOf('recipes', 'sh token'), { 'http://localhost:3000': world.url })
    const { token, scopes } = JSON.parse(await runScript(command, kitchen))
    expect(scopes).toEqual(recipes[0]?.scopes)
    expect(
      await (
        await fetch(`${world.url}/api/todos?limit=1`, { headers: { authorization: `Bearer ${token}` } })
      ).json(),
    ).toMatchObject({ todos: [expect.anything()] })
  } finally {
    await rm(home, { recursive: true })
  }
})

describe('the script of the README', () => {
  test('has at most ten lines', async () => {
    expect((await blockOf('readme', 'sh program')).trim().split('\n').length).toBeLessThanOrEqual(10)
  })

  test('adds one todo however often it runs, and prints what changes', async () => {
    const home = await mkdtemp(join(tmpdir(), 'organiser-recipe-'))
    try {
      const kitchen = { url: world.url, token: await world.tokenOf(['tasks:write', 'overview:read']), home }
      const script = await blockOf('readme', 'sh program')
      const changed = `Changed ${crypto.randomUUID()}`
      const twice = async () => {
        for (const title of [`${changed} 1`, `${changed} 2`]) {
          await using running = startScript(script, kitchen)
          await until(() => running.printed().includes('"next":'), 20_000, 'the first page')
          await world.ada('POST', '/api/todos', { title })
          const isTold = () =>
            running
              .printed()
              .split('\n')
              .some((line) => line.startsWith('{"changes":[{') && line.includes(title))
          await until(isTold, 20_000)
        }
      }
      expect((await added('todo', twice)).filter((title) => !title.startsWith(changed))).toEqual(['Buy milk'])
    } finally {
      await rm(home, { recursive: true })
    }
  })

  test('is followed by no more than the README has room for', async () => {
    expect((await fileText('README.md')).trimEnd().split('\n').length).toBeLessThanOrEqual(150)
  })
})
