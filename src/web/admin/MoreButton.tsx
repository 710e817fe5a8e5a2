import { useMessages } from '../messages/language'
import { Button } from '../parts/Button'
import { ProblemNote } from '../parts/ProblemNote'
import { adminMessages } from './admin-pages'
import type { usePages } from './use-pages'

/** Shows the next page of a list below it, as long as there is one. */
export function MoreButton({
  more,
  isBusy,
  refusal,
}: Pick<ReturnType<typeof usePages>, 'more' | 'isBusy' | 'refusal'>) {
  const m = useMessages(adminMessages)
  if (!more) return null
  return (
    <>
      {refusal && <ProblemNote refusal={refusal} />}
      <Button isBusy={isBusy} onClick={more}>
        {m.more}
      </Button>
    </>
  )
}
