import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { ROOT } from '../support/service'
import { insertToken } from '../support/tokens'
import { useHarness } from '../support/use-harness'

setDefaultTimeout(60_000)
const h = useHarness()
const PROGRAM = join(ROOT, 'node_modules/.bin/conformance')

// The program sends no token, so one is added on the way.
let server: ReturnType<typeof Bun.serve>
beforeAll(async () => {
  const { token } = await insertToken(h, (await h.signedIn()).row.id)
  server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) => {
      const headers = new Headers(request.headers)
      headers.set('authorization', `Bearer ${token}`)
      return h.app.fetch(new Request(request, { headers }))
    },
  })
})
afterAll(() => server.stop(true))

/** The checks of the protocol's own conformance tests that a scenario fails, or says that it could not make. */
async function failuresOf(scenario: string) {
  const url = `http://127.0.0.1:${server.port}/mcp`
  const child = Bun.spawn([process.execPath, PROGRAM, 'server', '--url', url, '--scenario', scenario], {
    stdout: 'pipe',
    stderr: 'ignore',
  })
  const said = Bun.stripANSI(await new Response(child.stdout).text())
  await child.exited
  const checks = [...said.matchAll(/\[([\w.-]+) *\] (SUCCESS|FAILURE|WARNING|SKIPPED)/g)]
  expect(checks.length).toBeGreaterThan(0)
  return checks.filter(([, , outcome]) => outcome === 'FAILURE').map(([, name]) => name)
}

/** The scenarios that need no tool of a test build, and what of them does not hold here. */
const SCENARIOS: Readonly<Record<string, readonly string[]>> = {
  'tools-list': [],
  'http-header-validation': [],
  'dns-rebinding-protection': [],
  'server-initialize': [],
  'server-sse-multiple-streams': [],
  'sep-2164-resource-not-found': [],
  'input-required-result-unsupported-methods': [],
  ping: [],
  // There are neither prompts nor resources.
  caching: [
    'sep-2549-prompts-list-caching-hints',
    'sep-2549-resources-list-caching-hints',
    'sep-2549-resources-templates-list-caching-hints',
  ],
  'server-stateless': [
    // These look for tools of a test build.
    'sep-2575-server-rejects-undeclared-capability',
    'sep-2575-missing-capability-http-400',
    'sep-2575-http-server-no-independent-requests-on-stream',
    'sep-2575-server-no-log-without-loglevel',
    // The tools do not change, so nobody may listen for that.
    'sep-2575-server-sends-subscription-ack',
    'sep-2575-server-tags-subscription-id',
  ],
}

test.each(Object.entries(SCENARIOS))('/mcp conforms to the protocol: %s', async (scenario, expected) => {
  expect(await failuresOf(scenario)).toEqual([...expected])
})
