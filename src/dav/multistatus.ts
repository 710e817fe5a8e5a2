import type { Deps } from '../deps'
import { pauses } from '../lib/pauses'
import { begun, inPieces, streamOf } from '../lib/text-stream'
import { dav } from '../lib/xml/names'
import { documentOf } from '../lib/xml/write'

/**
 * Streams the responses as one multistatus. Rejects with what fails before its first piece. One that breaks off does not parse as
 * whole, so that no client takes it for everything (contract: dav.statuses).
 */
export async function multistatus(
  { log, clock }: Pick<Deps, 'log' | 'clock'>,
  responses: AsyncIterable<string> | Iterable<string>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const [begin, end] = documentOf(dav('multistatus'))
  async function* parts(): AsyncGenerator<string, void, void> {
    yield begin
    yield* responses
    yield end
  }
  const pieces = await begun(inPieces(parts(), pauses(clock)))
  return new Response(streamOf(pieces, log, {}), {
    status: 207,
    headers: { 'content-type': 'application/xml; charset=utf-8', ...headers },
  })
}
