import { Elysia, ElysiaCustomStatusResponse } from 'elysia'
import { contextOf } from './request-context'

/**
 * Sends 204 without a body: Elysia adds an empty one, which Node and Deno refuse (Fetch, section 6.4). Handles `HEAD`
 * like `GET` (RFC 9110, section 9.3.2), but does not build a body that is never sent.
 */
export const emptyAnswers = () =>
  new Elysia({ name: 'http.empty-answers' }).onAfterHandle({ as: 'global' }, ({ request, responseValue }) => {
    if (responseValue instanceof ElysiaCustomStatusResponse && responseValue.code === 204) {
      return new Response(null, { status: 204 })
    }
    if (contextOf(request)?.incoming.method !== 'HEAD') return undefined
    if (!(responseValue instanceof Response)) return new Response(null, { headers: JSON_TYPE })
    void responseValue.body?.cancel()
    return new Response(null, responseValue)
  })

const JSON_TYPE = { 'content-type': 'application/json' }
