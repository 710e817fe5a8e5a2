import { type SyntheticEvent, useEffect, useMemo, useRef } from 'react'
import type { Refusal } from '../api/refusal'
import { useMessages } from '../messages/language'
import { useRefusals } from '../messages/refusals'
import { Checkbox } from '../parts/Checkbox'
import { Field, type FieldProps } from '../parts/Field'
import { ProblemNote } from '../parts/ProblemNote'
import { Select } from '../parts/Select'
import { SuggestField } from '../parts/SuggestField'
import { TextArea } from '../parts/TextArea'
import { nameOf } from '../parts/use-form'
import { readBirthday, shownBirthday } from './birthdays'
import { categoriesOf, usePeople } from './data'
import type { PersonDraft } from './draft'
import { peopleTexts } from './texts'
import type { PersonEditorState } from './use-person-editor'

type Problems = Readonly<Record<string, string | undefined>>

interface PersonFormProps {
  readonly id: string
  readonly editor: PersonEditorState
}

/** All fields of a person. */
export function PersonForm({ id, editor }: PersonFormProps) {
  const problems = useProblems(editor)
  const ref = useFocusOnProblem(editor)
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    editor.save()
  }
  const shared = { editor, problems }
  return (
    <form
      ref={ref}
      id={id}
      className="event-form"
      noValidate
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event)
      }}
    >
      {editor.isContinued && <Continued editor={editor} />}
      {editor.refusal && <Refused refusal={editor.refusal} />}
      <div className="person-fields">
        <Line {...shared} name="first_name" max={100} data-autofocus />
        <Line {...shared} name="last_name" max={100} />
        <Line {...shared} name="nickname" max={100} />
        <BirthdayField {...shared} />
        <Line {...shared} name="email" max={254} type="email" inputMode="email" />
        <Line {...shared} name="phone" type="tel" />
        <Line {...shared} name="mobile" type="tel" />
        <Line {...shared} name="company" />
        <Line {...shared} name="job_title" />
      </div>
      <Lines {...shared} name="address" max={500} />
      <div className="person-fields">
        <CategoryField {...shared} />
        <BookField {...shared} />
      </div>
      <Lines {...shared} name="notes" max={10_000} />
      <FavouriteField editor={editor} />
    </form>
  )
}

/** After each refused attempt the first wrong field has the focus. */
function useFocusOnProblem({ attempt, refusal }: PersonEditorState) {
  const ref = useRef<HTMLFormElement>(null)
  useEffect(() => {
    ref.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [attempt, refusal])
  return ref
}

function useProblems({ problems, refusal }: PersonEditorState): Problems {
  const m = useMessages(peopleTexts)
  const { problem: words } = useRefusals()
  const own = Object.entries(problems).map(([name, problem]) => [name, m[problem]] as const)
  const theirs = (refusal?.errors ?? []).map(({ field, message }) => [nameOf(field), words(message)] as const)
  return Object.fromEntries([...theirs, ...own])
}

interface ShownFields {
  readonly editor: PersonEditorState
  readonly problems: Problems
}

type LineName = Exclude<keyof PersonDraft, 'book_id' | 'is_favourite'>

interface LineProps extends ShownFields, Pick<FieldProps, 'type' | 'inputMode'> {
  readonly name: LineName
  readonly max?: number
  readonly 'data-autofocus'?: true
}

function Line({ name, max = 200, editor: { draft, change }, problems, ...rest }: LineProps) {
  const m = useMessages(peopleTexts)
  return (
    <Field
      {...rest}
      label={m[name]}
      name={name}
      autoComplete="off"
      maxLength={max}
      value={draft[name]}
      problem={problems[name]}
      onChange={({ target }) => change({ [name]: target.value })}
    />
  )
}

function Lines({ name, max, editor: { draft, change }, problems }: LineProps) {
  const m = useMessages(peopleTexts)
  return (
    <TextArea
      label={m[name]}
      name={name}
      maxLength={max}
      value={draft[name]}
      problem={problems[name]}
      onChange={({ target }) => change({ [name]: target.value })}
    />
  )
}

/** What is typed is shown in full once it is read. */
function BirthdayField({ editor: { draft, forms, change }, problems }: ShownFields) {
  const m = useMessages(peopleTexts)
  const finish = () => {
    const birthday = readBirthday(draft.birthday, forms)
    const shown = birthday === undefined ? draft.birthday : shownBirthday(birthday, forms.locale)
    if (shown !== draft.birthday) change({ birthday: shown })
  }
  return (
    <Field
      label={m.birthday}
      name="birthday"
      autoComplete="off"
      hint={m.birthdayHint}
      value={draft.birthday}
      problem={problems['birthday']}
      onChange={({ target }) => change({ birthday: target.value })}
      onBlur={finish}
    />
  )
}

function CategoryField({ editor: { draft, change }, problems }: ShownFields) {
  const m = useMessages(peopleTexts)
  const { people } = usePeople()
  const options = useMemo(
    () => categoriesOf(people).map((category) => ({ value: category, label: category })),
    [people],
  )
  return (
    <SuggestField
      label={m.category}
      name="category"
      value={draft.category}
      options={options}
      problem={problems['category']}
      onChange={(category) => change({ category: category.slice(0, 50) })}
    />
  )
}

function BookField({ editor: { draft, books, change }, problems }: ShownFields) {
  const m = useMessages(peopleTexts)
  const chosen = draft.book_id ?? books.find(({ is_default: isDefault }) => isDefault)?.id
  if (books.length < 2) return null
  return (
    <Select
      label={m.book}
      name="book_id"
      options={books.map(({ id, name }) => ({ value: String(id), label: name }))}
      value={String(chosen)}
      problem={problems['book_id']}
      onChange={(value) => change({ book_id: Number(value) })}
    />
  )
}

function FavouriteField({ editor: { draft, change } }: { readonly editor: PersonEditorState }) {
  const m = useMessages(peopleTexts)
  return (
    <Checkbox
      label={m.favourite}
      checked={draft.is_favourite}
      onChange={(isFavourite) => change({ is_favourite: isFavourite })}
    />
  )
}

function Refused({ refusal }: { readonly refusal: Refusal }) {
  const m = useMessages(peopleTexts)
  const { sentence } = useRefusals()
  if (refusal.errors.length > 0) return null
  return <ProblemNote refusal={refusal} sentence={refusal.status === 404 ? m.gone : sentence(refusal)} />
}

function Continued({ editor }: { readonly editor: PersonEditorState }) {
  const m = useMessages(peopleTexts)
  return (
    <p className="event-kept">
      {m.kept}{' '}
      <button type="button" className="link-button" onClick={editor.discard}>
        {m.discard}
      </button>
    </p>
  )
}
