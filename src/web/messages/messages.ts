/** Languages that a person can choose, and pseudo-locales for tests: 40 % longer, and right to left. */
export const LANGUAGES = ['en', 'de', 'en-XA', 'ar-XB'] as const
export type Language = (typeof LANGUAGES)[number]

/** A text, or a function of values that returns one. */
type Message = string | ((...values: never[]) => string)
type Catalogue = Readonly<Record<string, Message>>

/** The same keys with texts in another language: functions keep their parameters. */
type Translated<C extends Catalogue> = {
  readonly [K in keyof C]: C[K] extends (...values: infer V) => string ? (...values: V) => string : string
}

export interface Messages<C extends Catalogue> {
  readonly en: C
  readonly de: Translated<C>
}

/** Declares the texts of one place in all languages; a missing one is a type error. */
export const defineMessages = <const C extends Catalogue>(texts: Messages<C>): Messages<C> => texts

const made = new WeakMap<object, Map<Language, unknown>>()

/** Returns the texts of one place in a language. */
export function textsIn<C extends Catalogue>(messages: Messages<C>, language: Language): Translated<C> {
  if (language === 'en' || language === 'de') return messages[language] as Translated<C>
  let byLanguage = made.get(messages)
  if (!byLanguage) made.set(messages, (byLanguage = new Map()))
  const known = byLanguage.get(language)
  if (known) return known as Translated<C>
  const texts = Object.fromEntries(
    Object.entries(messages.en).map(([key, text]) => [key, disguised(text, language)]),
  ) as Translated<C>
  byLanguage.set(language, texts)
  return texts
}

function disguised(message: Message, language: Language): Message {
  const change = language === 'en-XA' ? lengthened : reversed
  return typeof message === 'string' ? change(message) : (...values) => change(message(...values))
}

const ACCENTS: Readonly<Record<string, string>> = {
  a: 'á', e: 'é', i: 'í', o: 'ó', u: 'ú', c: 'ç', n: 'ñ', A: 'Á', E: 'É', I: 'Í', O: 'Ó', U: 'Ú',
} // prettier-ignore

/** Accented and 40 % longer by words that a line may break between, in brackets, so that cut and untranslated texts show. */
const lengthened = (text: string) => {
  const more = '~'.repeat(Math.ceil(text.length * 0.4)).replaceAll(/~{8}(?=~)/g, '$& ')
  return `[${text.replace(/[aeioucnAEIOU]/g, (letter) => ACCENTS[letter] ?? letter)}${more}]`
}

/** Every word between a right-to-left override and its end. */
const reversed = (text: string) => text.replace(/\S+/g, (word) => `\u202e${word}\u202c`)

/** The locale of dates, numbers and plurals. British English, so that days come before months. */
export const localeOf = (language: Language): string =>
  ({ en: 'en-GB', de: 'de-DE', 'en-XA': 'en-GB', 'ar-XB': 'en-GB' })[language]

/** The form of a text for a count; English and German both have only these two. */
export const counted = (count: number, one: string, other: string): string => (count === 1 ? one : other)

/** The setting of this device, else the browser's first language that the client speaks, else English. */
export function chooseLanguage(setting: string | null, preferred: readonly string[]): Language {
  const asked = LANGUAGES.find((language) => language === setting)
  if (asked) return asked
  const spoken = preferred.map((tag) => tag.split('-')[0])
  return spoken.find((tag) => tag === 'en' || tag === 'de') ?? 'en'
}
