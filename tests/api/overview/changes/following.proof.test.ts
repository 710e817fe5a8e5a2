import { expect, test } from 'bun:test'
import { drawing } from '../../../fuzz/draw'
import { Follower, knownTo, truthOf } from '../../../support/changes'
import { befriend, person } from '../../../support/inviting'
import { OPERATIONS } from '../../../support/operating'
import { useHarness } from '../../../support/use-harness'

const h = useHarness({ per: 'test' })

const [SEEDS, ROUNDS, STEPS] = [6, 5, 50]

test.each(Array.from({ length: SEEDS }, (_, seed) => seed))(
  'whoever follows the changes knows after each run what they would read anew, whatever three users do (seed %d)',
  async (seed) => {
    const draw = drawing(seed)
    const users = [await person(h), await person(h), await person(h)] as const
    await befriend(h, users[0], [users[1], users[2]])
    const following = users.flatMap((user) => [
      { user, follower: new Follower(user), limit: undefined },
      { user, follower: new Follower(user), limit: draw.integer(1, 9) },
    ])
    for (let round = 0; round < ROUNDS; round++) {
      for (let step = 0; step < STEPS; step++) {
        const me = draw.pick(users)
        const other = draw.oneOf(users.filter((user) => user !== me)) ?? users[0]
        await draw.oneOf(OPERATIONS)?.({ h, draw, me, other })
        const polling = draw.percent(30) ? draw.oneOf(following) : undefined
        await polling?.follower.poll(polling.limit)
      }
      for (const { user, follower, limit } of following) {
        await follower.catchUp(limit)
        // The first run ends with what was there when it began.
        await follower.catchUp(limit)
        expect(knownTo(follower)).toEqual(await truthOf(user))
      }
    }
  },
  60_000,
)
