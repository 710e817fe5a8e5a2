import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { passwordProblem } from '../../../../src/features/identity/passwords/rules'
import { minLengthIn, passwordRules } from '../../../../src/web/sign-in/password-rules'

describe('the rules that the client shows for a new password', () => {
  test('are those of the service, but for common passwords', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 40 }),
        fc.stringMatching(/^[A-Za-z0-9]{3,8}$/),
        fc.integer({ min: 1, max: 30 }),
        fc.boolean(),
        (text, username, minLength, isInside) => {
          const password = isInside ? `${text}${username.toUpperCase()}` : text
          const { isLongEnough, isWithoutUsername } = passwordRules({ password, username, minLength })
          const problem = passwordProblem({ password, username, minLength, isCommon: () => false })
          expect(isLongEnough && isWithoutUsername !== false).toBe(problem === undefined)
        },
      ),
    )
  })

  test('learn another shortest length from the refusal that names it', () => {
    expect(minLengthIn([{ message: 'is required' }, { message: 'must be at least 16 characters' }])).toBe(16)
    expect(minLengthIn([{ message: 'is too common' }])).toBeUndefined()
  })
})
