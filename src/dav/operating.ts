import type { Reader } from '../access/reader/service'
import { newOperation } from '../access/operations/service'
import type { Visit } from './visit'

/** The visitor as whoever does an operation of this name, which can be undone where the operations say so. */
export const operating = ({ deps, user }: Pick<Visit, 'deps' | 'user'>, name: string): Reader => ({
  ...user.session,
  owner: user.owner,
  operation: newOperation(deps, { name, retry: undefined, keepsAnswer: false }),
})
