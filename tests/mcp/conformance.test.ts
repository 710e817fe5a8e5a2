import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../support/service'
import { insertToken } from '../support/tokens'
import { useHarness } from '../support/use-harness'
import { fixtureProtocol } from './conformance.server'

setDefaultTimeout(120_000)
const PACKAGE = join(ROOT, 'node_modules/@modelcontextprotocol/conformance')

const service = useHarness()
/** The same, with the tools that the conformance tests call in the place of its own. */
const testBuild = useHarness({ deps: { assistants: fixtureProtocol } })

const REVISIONS = ['2025-11-25', '2026-07-28'] as const
type Revision = (typeof REVISIONS)[number]

/** The server scenarios that a revision requires. */
async function requiredBy(revision: Revision): Promise<readonly string[]> {
  const { server } = Bun.YAML.parse(
    await Bun.file(join(PACKAGE, `requirements/${revision}.yaml`)).text(),
  ) as {
    server: readonly string[]
  }
  return server
}

interface Check {
  readonly id: string
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'
}

/** What the program finds in each scenario of a revision. */
async function examine(
  h: typeof service,
  revision: Revision,
): Promise<ReadonlyMap<string, readonly Check[]>> {
  const { token } = await insertToken(h, (await h.signedIn()).row.id)
  // The program sends no token, so one is added on the way.
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) => {
      const headers = new Headers(request.headers)
      headers.set('authorization', `Bearer ${token}`)
      return h.app.fetch(new Request(request, { headers }))
    },
  })
  const folder = await mkdtemp(join(tmpdir(), 'conformance-'))
  try {
    const url = `http://127.0.0.1:${server.port}/mcp`
    const given = ['server', '--url', url, '--requirements', revision, '-o', folder]
    const child = Bun.spawn([process.execPath, join(PACKAGE, 'dist/index.js'), ...given], {
      stdout: 'ignore',
      stderr: 'ignore',
    })
    await child.exited
    const found = new Map<string, readonly Check[]>()
    for (const name of await readdir(folder)) {
      const scenario = /^server-(.+?)-\d{4}-\d\d-\d\dT/.exec(name)?.[1] ?? ''
      found.set(scenario, (await Bun.file(join(folder, name, 'checks.json')).json()) as readonly Check[])
    }
    return found
  } finally {
    await rm(folder, { recursive: true })
    await server.stop(true)
  }
}

type Exceptions = Readonly<Record<string, readonly string[]>>

/** The tools do not change, so nobody may listen for that. */
const NO_SUBSCRIPTIONS: Exceptions = {
  'server-stateless': ['sep-2575-server-sends-subscription-ack', 'sep-2575-server-tags-subscription-id'],
}

/** What does not hold for the service itself, of the scenarios that need no tool of a test build. */
const OF_SERVICE: Readonly<Record<Revision, Exceptions>> = {
  '2025-11-25': {
    'server-initialize': [],
    ping: [],
    'tools-list': [],
    'server-sse-multiple-streams': [],
    'dns-rebinding-protection': [],
  },
  '2026-07-28': {
    'server-stateless': [
      // These look for tools of a test build, and are in the table below.
      'sep-2575-server-rejects-undeclared-capability',
      'sep-2575-missing-capability-http-400',
      'sep-2575-http-server-no-independent-requests-on-stream',
      'sep-2575-server-no-log-without-loglevel',
      ...(NO_SUBSCRIPTIONS['server-stateless'] ?? []),
    ],
    'tools-list': [],
    'server-sse-multiple-streams': [],
    'sep-2164-resource-not-found': [],
    'dns-rebinding-protection': [],
    // There are neither prompts nor resources.
    caching: [
      'sep-2549-prompts-list-caching-hints',
      'sep-2549-resources-list-caching-hints',
      'sep-2549-resources-templates-list-caching-hints',
    ],
    'input-required-result-unsupported-methods': [],
    'http-header-validation': [],
  },
}

/**
 * What does not hold for the test build. In 2025 a server asks its client by requests of its own while it answers, and the client
 * answers in another request: that takes a session, and each request stands alone here.
 */
const OF_TEST_BUILD: Readonly<Record<Revision, Exceptions>> = {
  '2025-11-25': {
    'tools-call-sampling': ['tools-call-sampling'],
    'tools-call-elicitation': ['tools-call-elicitation'],
    'elicitation-sep1034-defaults': ['elicitation-sep1034-general'],
    'elicitation-sep1330-enums': ['elicitation-sep1330-general'],
  },
  '2026-07-28': NO_SUBSCRIPTIONS,
}

/** The checks of a scenario that were made and failed. */
function failuresIn(found: ReadonlyMap<string, readonly Check[]>, scenario: string): readonly string[] {
  const checks = found.get(scenario) ?? []
  expect(checks.length).toBeGreaterThan(0)
  return checks.filter(({ status }) => status === 'FAILURE').map(({ id }) => id)
}

for (const revision of REVISIONS) {
  const required = await requiredBy(revision)

  describe(`/mcp conforms to the revision ${revision}:`, () => {
    let found: ReadonlyMap<string, readonly Check[]>
    beforeAll(async () => {
      found = await examine(service, revision)
    })
    test.each(Object.entries(OF_SERVICE[revision]))('%s', (scenario, expected) => {
      expect(failuresIn(found, scenario)).toEqual([...expected])
    })
  })

  describe(`a test build conforms to the revision ${revision}:`, () => {
    let found: ReadonlyMap<string, readonly Check[]>
    beforeAll(async () => {
      found = await examine(testBuild, revision)
    })
    test.each([...required])('%s', (scenario) => {
      expect(failuresIn(found, scenario)).toEqual([...(OF_TEST_BUILD[revision][scenario] ?? [])])
    })
    test('there is no exception for a scenario that is not required', () => {
      expect(Object.keys(OF_TEST_BUILD[revision]).filter((name) => !required.includes(name))).toEqual([])
    })
  })
}
