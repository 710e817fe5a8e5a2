import {
  acceptedContent,
  createRequestStateCodec,
  fromJsonSchema,
  inputRequired,
  McpServer,
  ResourceTemplate,
} from '@modelcontextprotocol/server'
import { speakingBy } from '../../src/adapters/model-context-protocol'
import { mountAsking, mountAskingWithState } from './conformance.asking'
import { mountTools, PNG } from './conformance.tools'

const states = createRequestStateCodec<{ round: number }>({ key: crypto.getRandomValues(new Uint8Array(32)) })

function mountResources(mcp: McpServer): void {
  const text = { mimeType: 'text/plain', description: 'A text.' }
  mcp.registerResource('static-text', 'test://static-text', text, ({ href }) => ({
    contents: [
      { uri: href, mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
    ],
  }))
  const picture = { mimeType: 'image/png', description: 'A picture.' }
  mcp.registerResource('static-binary', 'test://static-binary', picture, ({ href }) => ({
    contents: [{ uri: href, mimeType: 'image/png', blob: PNG }],
  }))
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined })
  const json = { mimeType: 'application/json', description: 'Data by id.' }
  mcp.registerResource('template', template, json, ({ href }, { id }) => ({
    contents: [
      {
        uri: href,
        mimeType: 'application/json',
        text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` }),
      },
    ],
  }))
}

const argumentsOf = (...names: readonly string[]) =>
  fromJsonSchema<Record<string, string>>({
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { type: 'string', description: 'A text.' }])),
    required: [...names],
  })

const userSays = (text: string) => ({ role: 'user' as const, content: { type: 'text' as const, text } })

function mountPrompts(mcp: McpServer): void {
  const description = 'For the conformance tests.'
  mcp.registerPrompt('test_simple_prompt', { description }, () => ({
    messages: [userSays('This is a simple prompt for testing.')],
  }))
  const two = { description, argsSchema: argumentsOf('arg1', 'arg2') }
  mcp.registerPrompt('test_prompt_with_arguments', two, ({ arg1, arg2 }) => ({
    messages: [userSays(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
  }))
  const one = { description, argsSchema: argumentsOf('resourceUri') }
  mcp.registerPrompt('test_prompt_with_embedded_resource', one, ({ resourceUri = '' }) => ({
    messages: [
      {
        role: 'user',
        content: {
          type: 'resource',
          resource: {
            uri: resourceUri,
            mimeType: 'text/plain',
            text: 'Embedded resource content for testing.',
          },
        },
      },
      userSays('Please process the embedded resource above.'),
    ],
  }))
  mcp.registerPrompt('test_prompt_with_image', { description }, () => ({
    messages: [
      { role: 'user', content: { type: 'image', data: PNG, mimeType: 'image/png' } },
      userSays('Please analyze the image above.'),
    ],
  }))
  mcp.registerPrompt('test_input_required_result_prompt', { description }, ({ mcpReq }) => {
    const context = acceptedContent(mcpReq.inputResponses, 'user_context')?.['context']
    if (typeof context === 'string') return { messages: [userSays(context)] }
    const requestedSchema = {
      type: 'object' as const,
      properties: { context: { type: 'string' as const } },
      required: ['context'],
    }
    const message = 'What context should the prompt use?'
    return inputRequired({
      inputRequests: { user_context: inputRequired.elicit({ message, requestedSchema }) },
    })
  })
}

/**
 * What the service answers assistants with, but with the tools, resources and prompts of the protocol's conformance tests in the place of
 * its own: the front, the handler and its options are the same.
 */
export const fixtureProtocol = speakingBy(({ version, instructions }) => {
  const mcp = new McpServer(
    { name: 'organiser', version },
    {
      instructions,
      capabilities: { logging: {}, completions: {}, resources: { subscribe: true } },
      requestState: { verify: (state, context) => states.verify(state, context) },
    },
  )
  mountTools(mcp)
  mountAsking(mcp)
  mountAskingWithState(mcp, (round) => states.mint({ round }))
  mountResources(mcp)
  mountPrompts(mcp)
  mcp.server.setRequestHandler('completion/complete', () => ({
    completion: { values: ['paris', 'park', 'party'], total: 3, hasMore: false },
  }))
  mcp.server.setRequestHandler('resources/subscribe', () => ({}))
  mcp.server.setRequestHandler('resources/unsubscribe', () => ({}))
  return mcp
})
