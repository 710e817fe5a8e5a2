import { dictionary } from '@zxcvbn-ts/language-common'
import type { CommonPasswords } from '../lib/ports'

/** The list of zxcvbn: about 49 000 passwords from leaks, in lower case. */
const known = new Set(dictionary['passwords-common'])

export const commonPasswords: CommonPasswords = { has: (password) => known.has(password.toLowerCase()) }
