import type { PersonFields, PersonView } from '../../features/people/people/model'
import { readBirthday, shownBirthday } from './birthdays'

/** Fields of a person that are text as they stand. */
const TEXT_FIELDS = [
  'first_name',
  'last_name',
  'nickname',
  'email',
  'phone',
  'mobile',
  'company',
  'job_title',
  'address',
  'category',
  'notes',
] as const
type TextField = (typeof TEXT_FIELDS)[number]

/** What the fields of the editor say; the birthday as it was typed. */
export interface PersonDraft extends Readonly<Record<TextField | 'birthday', string>> {
  /** Undefined for the default address book. */
  readonly book_id: number | undefined
  readonly is_favourite: boolean
}

/** How typed dates are read and shown. */
interface PersonForms {
  readonly today: Temporal.PlainDate
  readonly monthFirst: boolean
  readonly locale: string
}

export const emptyDraft = (given: Partial<PersonDraft>): PersonDraft => ({
  ...(Object.fromEntries(TEXT_FIELDS.map((field) => [field, ''])) as Record<TextField, string>),
  birthday: '',
  book_id: undefined,
  is_favourite: false,
  ...given,
})

export const draftOf = (person: PersonView, locale: string): PersonDraft => ({
  ...(Object.fromEntries(TEXT_FIELDS.map((field) => [field, person[field] ?? ''])) as Record<
    TextField,
    string
  >),
  birthday: person.birthday === null ? '' : shownBirthday(person.birthday, locale),
  book_id: person.book_id,
  is_favourite: person.is_favourite,
})

/** Fields of the editor that can be wrong, and how. */
export type PersonProblems = Partial<
  Record<'first_name' | 'email' | 'birthday', 'unnamed' | 'no-email' | 'unread' | 'future'>
>

/** The request that a draft stands for, or what is wrong with it. */
export function readDraft(
  draft: PersonDraft,
  forms: PersonForms,
): { readonly problems: PersonProblems } | { readonly body: PersonFields } {
  const birthday = draft.birthday.trim() === '' ? null : readBirthday(draft.birthday, forms)
  const problems = problemsOf(draft, birthday, forms)
  if (Object.keys(problems).length > 0) return { problems }
  const texts = TEXT_FIELDS.map((field) => [field, textOf(field, draft[field])] as const)
  return {
    body: {
      ...Object.fromEntries(texts),
      birthday: birthday ?? null,
      is_favourite: draft.is_favourite,
      ...(draft.book_id !== undefined && { book_id: draft.book_id }),
    },
  }
}

const textOf = (field: TextField, typed: string): string | null => {
  const text = field === 'notes' ? typed : typed.trim()
  return text.trim() === '' ? null : text
}

function problemsOf(
  draft: PersonDraft,
  birthday: string | null | undefined,
  { today }: PersonForms,
): PersonProblems {
  const isNamed = [draft.first_name, draft.last_name, draft.nickname].some((name) => name.trim() !== '')
  const email = draft.email.trim()
  const isFuture = birthday?.startsWith('-') === false && birthday > today.toString()
  return {
    ...(!isNamed && { first_name: 'unnamed' as const }),
    ...(email !== '' && !/^[^\s@]+@[^\s@]+$/.test(email) && { email: 'no-email' as const }),
    ...(birthday === undefined && { birthday: 'unread' as const }),
    ...(isFuture && { birthday: 'future' as const }),
  }
}

/** The fields in which a request differs from the person as they were opened. */
export function changesOf(body: PersonFields, opened: PersonView): PersonFields {
  const differs = ([field, value]: readonly [string, unknown]) => value !== opened[field as keyof PersonView]
  return Object.fromEntries(Object.entries(body).filter(differs))
}
