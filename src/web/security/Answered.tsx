import type { ReactNode } from 'react'
import type { useAnswer } from '../api/use-answer'
import { ProblemNote } from '../parts/ProblemNote'
import { Skeleton } from '../parts/Skeleton'

interface AnsweredProps<T> {
  readonly asked: ReturnType<typeof useAnswer<T>>
  readonly children: (value: T) => ReactNode
}

/** What the service was asked for, or its place while it is on its way, or why it is not there. */
export function Answered<T>({ asked, children }: AnsweredProps<T>) {
  const { value, refusal, again } = asked
  return (
    <>
      {refusal && <ProblemNote refusal={refusal} onTryAgain={again} />}
      {value === undefined ? !refusal && <Skeleton lines={2} /> : children(value)}
    </>
  )
}
