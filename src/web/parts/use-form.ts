import { type RefObject, type SubmitEvent, useEffect, useRef, useState } from 'react'
import { type Refusal, refusalOf } from '../api/refusal'
import { useRefusals } from '../messages/refusals'
import { useUnsaved } from '../session/unsaved'
import { useCountdown } from './use-countdown'

/** The values of a form's inputs by their names; those of check boxes are there only when they are ticked. */
export type FormValues = Readonly<Record<string, string>>
/** What is wrong, by the name of the input. */
export type FieldProblems = Readonly<Record<string, string>>

const NOTHING: FieldProblems = {}

/** Longer than this nobody waits before a form: the sentence alone says when the service takes the next attempt. */
const LONGEST_WAIT_SECONDS = 600
const waitAfter = ({ status, retryAfterSeconds = 5 }: Refusal): number =>
  status === 429 && retryAfterSeconds <= LONGEST_WAIT_SECONDS ? retryAfterSeconds : 0

/** What was wrong with the last attempt. The first wrong input gets the focus. */
function useOutcome(form: RefObject<HTMLFormElement | null>) {
  const [{ problems, refusal }, setOutcome] = useState<FormOutcome>({ problems: NOTHING })
  const [attempt, setAttempt] = useState(0)
  const wait = useCountdown()
  useEffect(() => {
    if (attempt > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [form, attempt])
  const refuse = (found: FieldProblems, refused?: Refusal) => {
    if (refused && waitAfter(refused) > 0) wait.start(waitAfter(refused))
    setOutcome({ problems: found, ...(refused && { refusal: refused }) })
    setAttempt((count) => count + 1)
  }
  const isOver = refusal !== undefined && waitAfter(refusal) > 0 && wait.seconds === 0
  return { problems, refusal: isOver ? undefined : refusal, waitSeconds: wait.seconds, refuse }
}

interface FormOutcome {
  readonly problems: FieldProblems
  readonly refusal?: Refusal
}

/**
 * The state of a form that sends itself to the service (contract: web.forms). `send` throws a `RefusedError` when the service
 * refuses; its `errors` go to the inputs whose names end their field (`body.password` to `password`), everything else into
 * the `FormAlert`. `check` may find problems before anything is sent; required and malformed inputs are found without it.
 */
export function useForm(
  send: (values: FormValues) => Promise<void>,
  check?: (values: FormValues) => FieldProblems,
) {
  const ref = useRef<HTMLFormElement>(null)
  const isSending = useRef(false)
  const [isBusy, setBusy] = useState(false)
  const [isTouched, setTouched] = useState(false)
  const { problems, refusal, waitSeconds, refuse } = useOutcome(ref)
  const { problem: words } = useRefusals()
  useUnsaved(isTouched, false)

  const onSubmit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    if (isSending.current || waitSeconds > 0) return
    const values = valuesOf(form)
    const found = { ...check?.(values), ...malformed(form, words) }
    if (Object.keys(found).length > 0) return refuse(found)
    isSending.current = true
    setBusy(true)
    try {
      await send(values)
      setTouched(false)
      refuse(NOTHING)
    } catch (error) {
      const refused = refusalOf(error)
      if (!refused) throw error
      refuse(problemsAt(form, refused, words), refused)
    } finally {
      isSending.current = false
      setBusy(false)
    }
  }
  return {
    /** For the `<form>`. */
    props: {
      ref,
      noValidate: true,
      onSubmit: (event: SubmitEvent<HTMLFormElement>) => void onSubmit(event),
      onInput: () => setTouched(true),
    },
    isBusy,
    problems,
    /** Seconds until the service takes the next attempt. */
    waitSeconds,
    refusal,
    /** Tells a refusal of something beside the form, such as its second button. */
    refuse: (refused: Refusal | undefined) => refuse(NOTHING, refused),
  }
}
export type FormState = ReturnType<typeof useForm>

const valuesOf = (form: HTMLFormElement): FormValues =>
  Object.fromEntries(
    [...new FormData(form)].filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )

const inputsOf = (form: HTMLFormElement) =>
  [...form.elements].filter(
    (element) => element instanceof HTMLInputElement && element.name !== '',
  ) as HTMLInputElement[]

type Words = (message: string) => string

/** What the browser itself finds wrong, in the words that the service has for it. */
function malformed(form: HTMLFormElement, words: Words): FieldProblems {
  const wrong = inputsOf(form).filter(({ validity }) => !validity.valid)
  return Object.fromEntries(wrong.map((input) => [input.name, words(wordFor(input))]))
}

function wordFor({ validity, type }: HTMLInputElement): string {
  if (validity.valueMissing) return 'is required'
  if (validity.typeMismatch && type === 'email') return 'must be an email address'
  return 'is not valid'
}

function problemsAt(form: HTMLFormElement, { errors }: Refusal, words: Words): FieldProblems {
  const names = new Set(inputsOf(form).map(({ name }) => name))
  const entries = errors.map(({ field, message }) => [nameOf(field), words(message)] as const)
  return Object.fromEntries(entries.filter(([name]) => names.has(name)))
}

/** The name of the input for a field of a request, such as `body.password`. */
export const nameOf = (field: string): string => field.slice(field.indexOf('.') + 1)
