import { useCallback, useEffect, useRef } from 'react'
import type { SettingsChanges, SettingsView } from '../../features/identity/settings/model'
import { call } from '../api/call'
import { RefusedError, refusalOf } from '../api/refusal'
import { randomKey } from '../api/random'
import { announce } from '../parts/messages-store'
import { type FormValues, useForm } from '../parts/use-form'
import { useSignedIn } from '../session/use-session'
import { isSame } from '../store/effects'
import { useStore } from '../store/use-store'
import { useUndoing } from '../trash/use-undoing'

/** The user's settings, with the changes on their way. */
export const useSettings = (): SettingsView => useSignedIn().settings

/** What no undoing brings back (contract: undo.operations): whom something is shown to, and whether messages are sent. */
const isFinal = (name: string): boolean =>
  name.startsWith('share_') || name === 'accept_connections' || name === 'ntfy_enabled'

/** Returns a function that changes settings at once; the control itself takes it back, and mostly the keys of undo as well. */
export function useChangeSettings() {
  const store = useStore()
  const { id } = useSignedIn().user
  return useCallback(
    (fields: Partial<SettingsView>, said: string) =>
      store.run({
        said,
        apply: [{ kind: 'settings', id, is: 'patch', fields }],
        request: { method: 'PUT', path: 'settings', body: fields },
        canUndo: !Object.keys(fields).some(isFinal),
      }),
    [store, id],
  )
}

interface SettingsFormOptions {
  /** What the inputs say, in the service's words. */
  readonly read: (values: FormValues) => SettingsChanges
  /** What a message says once they are saved. */
  readonly saved: string
  readonly canUndo?: boolean
}

/** A group of settings that is saved together (contract: web.settings). What others change meanwhile shows in inputs that nobody has touched. */
export function useSettingsForm({ read, saved, canUndo = true }: SettingsFormOptions) {
  const settings = useSettings()
  const { records } = useStore()
  const undo = useUndoing()
  const isTouched = useRef(false)
  const form = useForm(async (values) => {
    const changes = differences(read(values), settings)
    isTouched.current = false
    if (Object.keys(changes).length > 0) {
      try {
        const { body, operationId } = await call<SettingsView>('PUT', 'settings', {
          body: changes,
          idempotencyKey: randomKey(),
        })
        records.answer({ kind: 'settings', id: body.user_id }, body, [])
        records.flush()
        const isUndoable = canUndo && operationId !== undefined
        announce({ text: saved, ...(isUndoable && { undo: () => void undo(operationId, saved) }) })
      } catch (error) {
        isTouched.current = true
        throw atField(error)
      }
    } else announce({ text: saved })
  })
  useEffect(() => {
    if (!isTouched.current) form.props.ref.current?.reset()
  }, [form.props.ref, settings])
  const onInput = () => {
    isTouched.current = true
    form.props.onInput()
  }
  return { ...form, props: { ...form.props, onInput } }
}

/** Sentences of the service about one field. */
const FIELDS: Readonly<Record<string, string>> = {
  'That email is not available': 'email',
  'That network name is not available': 'network_name',
}

function atField(error: unknown): unknown {
  const refusal = refusalOf(error)
  const field = refusal && FIELDS[refusal.detail]
  if (!refusal || field === undefined) return error
  return new RefusedError({ ...refusal, errors: [{ field: `body.${field}`, message: refusal.detail }] })
}

const differences = (changes: SettingsChanges, settings: SettingsView): SettingsChanges =>
  Object.fromEntries(
    Object.entries(changes).filter(([name, value]) => !isSame(value, Reflect.get(settings, name))),
  )

/** The text of an input, or null when it is empty. */
export const textOf = (value: string | undefined): string | null => {
  const text = (value ?? '').trim()
  return text === '' ? null : text
}
