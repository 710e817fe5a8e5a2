import { AppError } from '../errors'

/** The versions that a record may have when it is changed; undefined allows all. */
export type ExpectedVersions = readonly number[] | undefined

/** The record to change, and its expected versions. */
export interface Target {
  readonly id: number
  readonly expected: ExpectedVersions
}

export const isExpected = (version: number, expected: ExpectedVersions): boolean =>
  expected?.includes(version) ?? true

/** 412: the record has changed meanwhile. */
export const stale = () => new AppError('stale', 'This item has changed since you read it')
