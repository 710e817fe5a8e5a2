import type { PasskeyView } from '../../features/identity/passkeys/model'
import { refusalOf } from '../api/refusal'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { useRefusals } from '../messages/refusals'
import { Button } from '../parts/Button'
import { Dialog } from '../parts/Dialog'
import { Field } from '../parts/Field'
import { announce } from '../parts/messages-store'
import { useForm } from '../parts/use-form'
import { FormDialog } from '../parts/FormDialog'
import { deletePasskey, renamePasskey } from './data'

const messages = defineMessages({
  en: {
    renaming: 'Rename passkey',
    name: 'Name',
    save: 'Save',
    renamed: (name: string) => `The passkey is called ${name}`,
    removing: 'Remove passkey',
    remove: 'Remove',
    removeWhy: (name: string) =>
      `“${name}” no longer signs you in, which cannot be undone. Delete it on its device too, or it will go on being offered there.`,
    needed: 'Signing in without a password takes two passkeys. Add another one first, or turn that off.',
    removed: (name: string) => `Removed the passkey ${name}`,
    close: 'Back',
  },
  de: {
    renaming: 'Passkey umbenennen',
    name: 'Name',
    save: 'Speichern',
    renamed: (name) => `Der Passkey heißt jetzt ${name}`,
    removing: 'Passkey entfernen',
    remove: 'Entfernen',
    removeWhy: (name) =>
      `Mit „${name}“ ist danach keine Anmeldung mehr möglich, und das lässt sich nicht rückgängig machen. Auch auf dem Gerät löschen, sonst wird er dort weiter angeboten.`,
    needed:
      'Das Anmelden ohne Passwort braucht zwei Passkeys. Zuerst einen weiteren hinzufügen oder es ausschalten.',
    removed: (name) => `Passkey ${name} entfernt`,
    close: 'Zurück',
  },
})

interface PasskeyDialogProps {
  readonly passkey: PasskeyView
  readonly onDone: () => void
  readonly onClose: () => void
}

export function RenamePasskeyDialog({ passkey, onDone, onClose }: PasskeyDialogProps) {
  const m = useMessages(messages)
  const { sentence } = useRefusals()
  const takeBack = async () => {
    try {
      await renamePasskey(passkey.id, passkey.name)
      onDone()
    } catch (error) {
      const refusal = refusalOf(error)
      if (!refusal) throw error
      announce({ text: sentence(refusal), isError: true })
    }
  }
  const form = useForm(async ({ name: typed = '' }) => {
    const name = typed.trim()
    if (name !== passkey.name) {
      await renamePasskey(passkey.id, name)
      announce({ text: m.renamed(name), undo: () => void takeBack() })
    }
    onClose()
    onDone()
  })
  return (
    <FormDialog title={m.renaming} action={m.save} form={form} onClose={onClose}>
      <Field
        label={m.name}
        name="name"
        defaultValue={passkey.name}
        maxLength={64}
        required
        problem={form.problems['name']}
      />
    </FormDialog>
  )
}

interface RemovePasskeyProps extends PasskeyDialogProps {
  readonly isNeeded: boolean
}

export function RemovePasskeyDialog({ isNeeded, ...rest }: RemovePasskeyProps) {
  const m = useMessages(messages)
  if (!isNeeded) return <RemovalDialog {...rest} />
  return (
    <Dialog
      title={m.removing}
      onClose={rest.onClose}
      footer={<Button onClick={rest.onClose}>{m.close}</Button>}
    >
      <p>{m.needed}</p>
    </Dialog>
  )
}

function RemovalDialog({ passkey, onDone, onClose }: PasskeyDialogProps) {
  const m = useMessages(messages)
  const form = useForm(async () => {
    await deletePasskey(passkey.id)
    announce({ text: m.removed(passkey.name) })
    onClose()
    onDone()
  })
  return (
    <FormDialog title={m.removing} action={m.remove} isDangerous form={form} onClose={onClose}>
      <p>{m.removeWhy(passkey.name)}</p>
    </FormDialog>
  )
}
