import { AppError } from '../errors'

/** The versions of which a record must have one to be changed; undefined where any will do. */
export type ExpectedVersions = readonly number[] | undefined

/** Which record is changed, and in which version. */
export interface Target {
  readonly id: number
  readonly expected: ExpectedVersions
}

export const isExpected = (version: number, expected: ExpectedVersions): boolean =>
  expected?.includes(version) ?? true

/** 412: somebody was faster. */
export const stale = () => new AppError('stale', 'This item has changed since you read it')
