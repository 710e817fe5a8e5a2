import { type LineDraft, first, has, param, type Rewrite, without, withParam } from './draft'

/** Days of birth and the like: 3.0 writes `1985-04-12`, 4.0 `19850412`, and a day without a year `--0412`. */

const DATES = new Set(['BDAY', 'ANNIVERSARY', 'X-ANNIVERSARY', 'DEATHDATE'])

/** The year that Apple writes when the year is unknown, with a parameter that says so. */
const NO_YEAR = '1604'
const OMIT_YEAR = 'x-apple-omit-year'

const LONG = /^(\d{4})-(\d\d)-(\d\d)(T.*)?$/
const SHORT = /^(\d{4}|--)(\d\d)(\d\d)(T.*)?$/

/** Of 3.0, for 4.0. */
export const shortDate: Rewrite = (draft) => {
  const parts = isDate(draft) ? LONG.exec(draft.value) : undefined
  if (!parts) return draft
  const [, year = '', month = '', day = '', time = ''] = parts
  const isYearless = has(draft, OMIT_YEAR) && first(draft, OMIT_YEAR) === year
  const value = `${isYearless ? '--' : year}${month}${day}${time.replaceAll(':', '')}`
  return { ...(isYearless ? without(draft, OMIT_YEAR) : draft), value }
}

/** Of 4.0, for 3.0. */
export const longDate: Rewrite = (draft) => {
  const parts = isDate(draft) ? SHORT.exec(draft.value) : undefined
  if (!parts) return draft
  const [, year = '', month = '', day = '', time = ''] = parts
  const value = `${year === '--' ? NO_YEAR : year}-${month}-${day}${longTime(time)}`
  const dated = { ...draft, value }
  return year === '--' ? withParam(dated, param(OMIT_YEAR.toUpperCase(), [NO_YEAR])) : dated
}

const isDate = (draft: LineDraft) => DATES.has(draft.name) && !/^text$/i.test(first(draft, 'value'))

const longTime = (time: string): string =>
  time.replace(/^T(\d\d)(\d\d)(\d\d)(?=\D|$)/, 'T$1:$2:$3').replace(/([+-]\d\d)(\d\d)$/, '$1:$2')
