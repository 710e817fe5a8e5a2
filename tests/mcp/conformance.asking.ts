import {
  acceptedContent,
  inputRequired,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { askName, capabilitiesOf, plain, said } from './conformance.tools'

const CONFIRM = inputRequired.elicit({
  message: 'Please confirm',
  requestedSchema: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] },
})
const COLOUR = inputRequired.elicit({
  message: 'Step 2: What is your favorite color?',
  requestedSchema: { type: 'object', properties: { color: { type: 'string' } }, required: ['color'] },
})

const sample = (words: string, maxTokens: number) =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: words } }],
    maxTokens,
  })

/** What the client has answered to a question, as it came. */
const responseTo = ({ mcpReq }: ServerContext, name: string): unknown => mcpReq.inputResponses?.[name]

const contentOf = ({ mcpReq }: ServerContext, name: string) => acceptedContent(mcpReq.inputResponses, name)

/** Tools that ask one question each. */
export function mountAsking(mcp: McpServer): void {
  plain(mcp, 'test_input_required_result_elicitation', (context) => {
    const name = contentOf(context, 'user_name')?.['name']
    return typeof name === 'string'
      ? said(`Hello, ${name}!`)
      : inputRequired({ inputRequests: { user_name: askName() } })
  })
  // Without the capability the call is refused before it answers.
  plain(mcp, 'test_missing_capability', () =>
    inputRequired({ inputRequests: { greeting: sample('Hello', 50) } }),
  )
  plain(mcp, 'test_input_required_result_sampling', (context) => {
    const response = responseTo(context, 'capital_question')
    return response === undefined
      ? inputRequired({ inputRequests: { capital_question: sample('What is the capital of France?', 100) } })
      : said(JSON.stringify(response))
  })
  plain(mcp, 'test_input_required_result_list_roots', (context) => {
    const response = responseTo(context, 'client_roots')
    return response === undefined
      ? inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } })
      : said(JSON.stringify(response))
  })
  plain(mcp, 'test_input_required_result_capabilities', (context) => {
    const can = capabilitiesOf(context)
    return inputRequired({
      inputRequests: {
        ...(can['elicitation'] !== undefined && { user_name: askName() }),
        ...(can['sampling'] !== undefined && { greeting: sample('Generate a greeting', 50) }),
      },
    })
  })
}

/** Tools whose questions have a state, which comes back as it was or is refused before the tool is called. */
export function mountAskingWithState(mcp: McpServer, mint: (round: number) => Promise<string>): void {
  const roundOf = ({ mcpReq }: ServerContext): number => mcpReq.requestState<{ round: number }>()?.round ?? 0
  for (const name of [
    'test_input_required_result_request_state',
    'test_input_required_result_tampered_state',
  ]) {
    plain(mcp, name, async (context) =>
      roundOf(context) === 1 && contentOf(context, 'confirm')
        ? said('state-ok')
        : inputRequired({
            inputRequests: { confirm: CONFIRM },
            requestState: await mint(1),
          }),
    )
  }
  plain(mcp, 'test_input_required_result_multiple_inputs', async (context) => {
    const isAll = ['user_name', 'greeting', 'client_roots'].every(
      (name) => responseTo(context, name) !== undefined,
    )
    if (roundOf(context) === 1 && isAll) return said('Done')
    return inputRequired({
      inputRequests: {
        user_name: askName(),
        greeting: sample('Generate a greeting', 50),
        client_roots: inputRequired.listRoots(),
      },
      requestState: await mint(1),
    })
  })
  plain(mcp, 'test_input_required_result_multi_round', async (context) => {
    const round = roundOf(context)
    if (round === 2 && contentOf(context, 'step2')) return said('Done')
    if (round >= 1 && contentOf(context, 'step1')) {
      return inputRequired({
        inputRequests: { step2: COLOUR },
        requestState: await mint(2),
      })
    }
    return inputRequired({
      inputRequests: { step1: askName('Step 1: What is your name?') },
      requestState: await mint(1),
    })
  })
}
