import type { BlocksPage, BlockView } from '../../features/people/blocks/model'
import type { NewRequestBody, RequestView, SearchView } from '../../features/people/requests/model'
import { type Answer, call, pathOf, queryOf } from '../api/call'
import { randomKey } from '../api/random'

/** Asks whether somebody who accepts connections has exactly this name. */
export const searchUser = (name: string): Promise<Answer<SearchView>> =>
  call('POST', 'connections/search', { body: { network_name: name } })

export const sendRequest = (body: NewRequestBody): Promise<Answer<RequestView>> =>
  call('POST', 'connections/requests', { body, idempotencyKey: randomKey() })

/** All whom the user has blocked, by name. */
export async function readBlocks(): Promise<readonly BlockView[]> {
  const blocks: BlockView[] = []
  let cursor: string | undefined
  do {
    const { body } = await call<BlocksPage>('GET', `connections/blocks${queryOf({ limit: 200, cursor })}`)
    blocks.push(...body.blocks)
    cursor = body.next_cursor ?? undefined
  } while (cursor !== undefined)
  return blocks
}

export const blockUser = (name: string): Promise<Answer<BlockView>> =>
  call('POST', 'connections/blocks', { body: { network_name: name }, idempotencyKey: randomKey() })

export const unblockUser = (id: number): Promise<Answer<undefined>> =>
  call('DELETE', pathOf`connections/blocks/${id}`)
