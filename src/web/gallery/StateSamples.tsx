import type { Refusal } from '../api/refusal'
import { Button } from '../parts/Button'
import { EmptyState } from '../parts/EmptyState'
import { ProblemNote } from '../parts/ProblemNote'
import { Skeleton } from '../parts/Skeleton'
import { useSampleText } from './texts'

const refusal = (status: number): Refusal => ({
  status,
  detail: '',
  errors: [],
  items: [],
  requestId: 'r-4f1c09',
})
const REFUSALS = [0, 403, 404, 429, 500, 503].map(refusal)
const nothing = () => {}

export function StateSamples() {
  const t = useSampleText()
  return (
    <>
      <EmptyState icon="todos" title={t('Nothing to do')}>
        <Button kind="primary">{t('Add a todo')}</Button>
      </EmptyState>
      <Skeleton lines={4} />
      {REFUSALS.map((each) => (
        <ProblemNote key={each.status} refusal={each} onTryAgain={nothing} />
      ))}
    </>
  )
}
