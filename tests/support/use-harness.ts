import { type Harness, startHarness } from './harness'
import { type Per, useStarted } from './use-started'

type Options = NonNullable<Parameters<typeof startHarness>[0]>

/** The real app on a fresh database, for all tests of the file or for each `per: 'test'`. */
export const useHarness = ({ per = 'file', ...options }: Options & { per?: Per } = {}): Harness =>
  useStarted(
    per,
    () => startHarness(options),
    (harness) => harness[Symbol.asyncDispose](),
  )
