import { dictionary } from '@zxcvbn-ts/language-common'
import type { CommonPasswords } from '../lib/ports/passwords'

/** zxcvbn's list of about 49 000 leaked passwords, in lower case. */
const known = new Set(dictionary['passwords-common'])

export const commonPasswords: CommonPasswords = { has: (password) => known.has(password.toLowerCase()) }
