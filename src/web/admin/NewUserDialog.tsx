import { useState } from 'react'
import { useLocation } from 'wouter'
import { PATTERNS } from '../app/addresses'
import { useMessages } from '../messages/language'
import { Checkbox } from '../parts/Checkbox'
import { Field } from '../parts/Field'
import { useForm } from '../parts/use-form'
import { FormDialog } from '../parts/FormDialog'
import { NewPasswordField } from '../sign-in/NewPasswordField'
import { UsernameField } from '../sign-in/UsernameField'
import { createUser } from './data'
import { userMessages } from './user.messages'

/** A new account with a first password, also while registration is closed. */
export function NewUserDialog({ onClose }: { readonly onClose: () => void }) {
  const m = useMessages(userMessages)
  const [, navigate] = useLocation()
  const [username, setUsername] = useState('')
  const form = useForm(async ({ username: name = '', password = '', ...rest }) => {
    const made = await createUser({
      username: name.trim(),
      password,
      role: rest['admin'] === undefined ? 'standard' : 'admin',
      email: rest['email'] || null,
      date_of_birth: rest['date_of_birth'] || null,
      must_change_password: rest['must_change_password'] !== undefined,
    })
    navigate(PATTERNS.adminUser.replace(':id', String(made.id)))
  })
  return (
    <FormDialog title={m.add} action={m.create} form={form} onClose={onClose}>
      <UsernameField form={form} autoComplete="off" onType={setUsername} />
      <NewPasswordField form={form} label={m.password} name="password" username={username} />
      <Field
        label={m.email}
        hint={m.optional}
        name="email"
        type="email"
        autoComplete="off"
        problem={form.problems['email']}
      />
      <Field
        label={m.birth}
        hint={m.optional}
        name="date_of_birth"
        type="date"
        problem={form.problems['date_of_birth']}
      />
      <Checkbox label={m.change} name="must_change_password" defaultChecked />
      <Checkbox label={m.admin} name="admin" />
    </FormDialog>
  )
}
