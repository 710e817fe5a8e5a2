import { useLocation, useSearch } from 'wouter'
import { PATTERNS } from '../app/addresses'
import type { NextStep } from '../session/sign-in'

/** An address of the sign-in family that still knows where to go in the end. */
export function useOnward(): (path: string) => string {
  const search = useSearch()
  return (path) => (search === '' ? path : `${path}?${search}`)
}

/** Goes to the page of the next step. After the last one, `App` leads on. */
export function useSteps(): (step: NextStep) => void {
  const [, navigate] = useLocation()
  const onward = useOnward()
  return (step) => {
    if (step === 'code') navigate(onward(PATTERNS.secondFactor))
    else if (step === 'set-up') navigate(onward(PATTERNS.secondFactorSetUp))
  }
}
