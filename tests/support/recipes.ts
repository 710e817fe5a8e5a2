import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { isScope, type Scope } from '../../src/lib/scopes'
import { blockIn, documentText, substitute } from './readme'

/** The address of the service in recipes for programs that have no environment. */
const ADDRESS = 'http://organiser.local:3000'

/** One section of the recipes. */
export interface Recipe {
  readonly title: string
  readonly text: string
  readonly scopes: readonly Scope[]
  /** Its block whose info string is `info`. */
  readonly block: (info: string) => string
}

/** The recipes of the document, in their order. */
export async function readRecipes(): Promise<readonly Recipe[]> {
  const [, ...sections] = (await documentText('recipes')).split(/^## \d+\. /m)
  return sections.map((text) => {
    const [title = ''] = text.split('\n', 1)
    const [, listed = ''] = /^Scopes: (.+)$/m.exec(text) ?? []
    const scopes = [...listed.matchAll(/`([^`]+)`/g)].map(([, scope = '']) => scope)
    if (!scopes.every(isScope)) throw new Error(`${title}: no such scope among ${scopes.join(' ')}`)
    return { title, text, scopes, block: (info) => blockIn(text, info, title) }
  })
}

/** Where a recipe is tried: the service, a token, and a home folder. */
export interface Kitchen {
  readonly url: string
  readonly token: string
  readonly home: string
}

const environmentOf = ({ url, token, home }: Kitchen, more: Readonly<Record<string, string>> = {}) => ({
  PATH: process.env['PATH'] ?? '',
  HOME: home,
  // A zone in which it is about noon, so that no day ends between two runs of a script.
  TZ: `NOON${new Date().getUTCHours() - 12}`,
  ORGANISER_URL: url,
  ORGANISER_TOKEN: token,
  ...more,
})

/** Runs a script as it stands. Answers what it printed; an exit code that is not 0 is an error. */
export async function runScript(
  script: string,
  kitchen: Kitchen,
  more?: Readonly<Record<string, string>>,
): Promise<string> {
  const shell = startScript(script, kitchen, more)
  const exitCode = await shell.exited
  if (exitCode !== 0) throw new Error(`exit code ${exitCode}: ${await shell.said}`)
  return shell.said
}

/** Starts a script, which may have no end; disposing of it ends whatever it has started. */
export function startScript(script: string, kitchen: Kitchen, more?: Readonly<Record<string, string>>) {
  const child = Bun.spawn(['sh', '-c', script], {
    cwd: kitchen.home,
    env: environmentOf(kitchen, more),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let printed = ''
  const listen = async () => {
    const decoder = new TextDecoder()
    for await (const chunk of child.stdout) printed += decoder.decode(chunk, { stream: true })
    return printed
  }
  const said = listen()
  return {
    exited: child.exited,
    said,
    /** What it has printed so far. */
    printed: () => printed,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
      await child.exited
    },
  }
}

/** Stores the script below the home folder, and runs the command of the line of a crontab as cron would. */
export async function runAsCron(recipe: Recipe, kitchen: Kitchen): Promise<string> {
  const line = recipe.block('cron').trim()
  const [, command] = /^(?:[\d*,/-]+ ){5}([^%]+)$/.exec(line) ?? []
  const [, file] = /sh "\$HOME\/([\w-]+\.sh)"/.exec(line) ?? []
  if (command === undefined || file === undefined) throw new Error(`no line of a crontab: ${line}`)
  if (!recipe.text.includes(`\`${file}\``)) throw new Error(`nothing says what ${file} is`)
  const given = substitute(blockIn(await documentText('recipes'), 'sh environment', 'recipes'), {
    'http://localhost:3000': kitchen.url,
    'org_…': kitchen.token,
  })
  await runScript(given, kitchen)
  await writeFile(join(kitchen.home, file), recipe.block('sh'))
  // Cron gives neither of them.
  return runScript(command, kitchen, { ORGANISER_URL: '', ORGANISER_TOKEN: '' })
}

/** A request of a recipe that is no script. */
export interface Sent {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** Sends the request to the service as it is given. @throws {Error} for an answer that is no success. */
export async function send({ url, ...request }: Sent, kitchen: Kitchen): Promise<unknown> {
  const response = await fetch(substitute(url, { [ADDRESS]: kitchen.url }), request)
  const text = await response.text()
  if (!response.ok) throw new Error(`${response.status} ${text}`)
  return JSON.parse(text)
}

/** A file of Home Assistant; `!secret organiser_authorization` is what the recipe says that it is. */
export function homeAssistant(recipe: Recipe, kitchen: Kitchen): Record<string, unknown> {
  const [, secret = ''] = /`organiser_authorization: ([^`]+)`/.exec(recipe.text) ?? []
  const authorization = substitute(secret, { 'org_…': kitchen.token })
  const text = recipe.block('yaml').replaceAll('!secret organiser_authorization', authorization)
  return Bun.YAML.parse(text) as Record<string, unknown>
}

/** Renders a template of Home Assistant, of which it knows variables, `to_json` and `count`. */
export const render = (template: string, variables: Readonly<Record<string, unknown>>): string =>
  template.replaceAll(/\{\{ ([\w.]+)(?: \| (\w+))? \}\}/g, (_, path: string, filter?: string) => {
    const value = path
      .split('.')
      .reduce<unknown>((inside, name) => (inside as Record<string, unknown>)[name], variables)
    if (filter === 'to_json') return JSON.stringify(value)
    return String(filter === 'count' ? (value as unknown[]).length : value)
  })

interface N8nNode {
  readonly name: string
  readonly type: string
  readonly parameters: {
    readonly url?: string
    readonly method?: string
    readonly genericAuthType?: string
    readonly queryParameters?: { readonly parameters: readonly Parameter[] }
    readonly headerParameters?: { readonly parameters: readonly Parameter[] }
    readonly jsonBody?: string
    readonly fieldToSplitOut?: string
  }
}
interface Parameter {
  readonly name: string
  readonly value: string
}
export interface N8nWorkflow {
  readonly nodes: readonly N8nNode[]
  readonly connections: Readonly<
    Record<string, { readonly main: ReadonlyArray<ReadonlyArray<{ node: string }>> }>
  >
}

type Run = (node: N8nNode, items: readonly unknown[]) => readonly unknown[] | Promise<readonly unknown[]>

/** Runs the nodes of a workflow in the order in which they are connected. Answers the items that the last one gives. */
export async function runWorkflow(
  { nodes, connections }: N8nWorkflow,
  kitchen: Kitchen,
  { execution, today }: { execution: string; today: object },
): Promise<readonly unknown[]> {
  const runs: Readonly<Record<string, Run>> = {
    'n8n-nodes-base.scheduleTrigger': (_, items) => items,
    'n8n-nodes-base.splitOut': ({ parameters: { fieldToSplitOut = '' } }, items) =>
      items.flatMap((item) => (item as Record<string, unknown[]>)[fieldToSplitOut] ?? []),
    'n8n-nodes-base.httpRequest': async (node, items) => {
      const answers: unknown[] = []
      for (const $json of items) {
        const context = { $json, $today: today, $execution: { id: execution } }
        answers.push(await send(requestOf(node, context, kitchen.token), kitchen))
      }
      return answers
    },
  }
  let node = nodes.find(({ type }) => type.endsWith('Trigger'))
  let items: readonly unknown[] = [{}]
  while (node) {
    const run = runs[node.type]
    if (!run) throw new Error(`${node.name}: ${node.type} is unknown`)
    items = await run(node, items)
    const next = connections[node.name]?.main[0]?.[0]?.node
    node = nodes.find(({ name }) => name === next)
  }
  return items
}

function requestOf({ parameters, name }: N8nNode, context: object, token: string): Sent {
  const { url, method, genericAuthType, queryParameters, headerParameters, jsonBody } = parameters
  if (url === undefined || method === undefined || genericAuthType !== 'httpHeaderAuth') {
    throw new Error(`${name}: no request with header authorization`)
  }
  const pairs = (list: readonly Parameter[] = []) =>
    list.map(({ name: key, value }) => [key, expressed(value, context)] as const)
  const query = new URLSearchParams(Object.fromEntries(pairs(queryParameters?.parameters)))
  return {
    url: query.size > 0 ? `${url}?${query}` : url,
    method,
    headers: {
      ...Object.fromEntries(pairs(headerParameters?.parameters)),
      ...(jsonBody !== undefined && { 'content-type': 'application/json' }),
      Authorization: `Bearer ${token}`,
    },
    ...(jsonBody !== undefined && { body: expressed(jsonBody, context) }),
  }
}

/** A parameter of n8n: one that begins with `=` has expressions of JavaScript in double braces. */
const expressed = (value: string, context: object): string =>
  value.startsWith('=')
    ? value
        .slice(1)
        .replaceAll(/\{\{ (.+?) \}\}/g, (_, code: string) => String(runInNewContext(code, { ...context })))
    : value

/** The request that the table of a recipe describes, with the variables of Shortcuts, which stand in square brackets. */
export function shortcutOf(
  { text }: Recipe,
  token: string,
  variables: Readonly<Record<string, string>>,
): Sent {
  const rows = [...text.matchAll(/^\| (.+?) +\| `(.+?)` +\|$/gm)].map(
    ([, setting = '', value = '']) => [setting.replaceAll('`', ''), filled(value)] as const,
  )
  function filled(value: string): string {
    return value
      .replace('org_…', token)
      .replaceAll(/\[(.+?)\]/g, (_, name: string) => variables[name] ?? `no ${name}`)
  }
  const named = (prefix: string) =>
    rows.flatMap(([setting, value]) =>
      setting.startsWith(prefix) ? [[setting.slice(prefix.length), value] as const] : [],
    )
  const settings = Object.fromEntries(rows)
  if (settings['Request Body'] !== 'JSON') throw new Error('no body of JSON')
  return {
    url: settings['URL'] ?? '',
    method: settings['Method'] ?? '',
    headers: { ...Object.fromEntries(named('Headers: ')), 'content-type': 'application/json' },
    body: JSON.stringify(Object.fromEntries(named('JSON, Text: '))),
  }
}

export const fileOf = (kitchen: Kitchen, name: string): Promise<string> =>
  readFile(join(kitchen.home, name), 'utf8')
