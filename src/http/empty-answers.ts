import { Elysia, ElysiaCustomStatusResponse } from 'elysia'

/** 204 goes without any body: Elysia gives it an empty one, which Node and Deno refuse (Fetch, section 6.4). */
export const emptyAnswers = () =>
  new Elysia({ name: 'http.empty-answers' }).onAfterHandle({ as: 'global' }, ({ responseValue }) =>
    responseValue instanceof ElysiaCustomStatusResponse && responseValue.code === 204
      ? new Response(null, { status: 204 })
      : undefined,
  )
