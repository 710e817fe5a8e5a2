import { useState } from 'react'
import { useLocation } from 'wouter'
import { PATTERNS } from '../app/addresses'
import { useLocale, useMessages } from '../messages/language'
import { Button } from '../parts/Button'
import { announce } from '../parts/messages-store'
import { useForm } from '../parts/use-form'
import { FormDialog } from '../parts/FormDialog'
import { deleteUser, type User } from './data'
import { unlessGone } from './unless-gone'
import { userMessages } from './user.messages'

const GOING = [
  'calendars', 'events', 'event_templates', 'feeds', 'todo_lists', 'todos', 'reminders', 'projects', 'tasks', 'comments',
  'people', 'address_books',
] as const // prettier-ignore

/** Deletes a user, after naming all that goes along. */
export function UserDeletion({ user }: { readonly user: User }) {
  const m = useMessages(userMessages)
  const locale = useLocale()
  const [, navigate] = useLocation()
  const [isAsked, setAsked] = useState(false)
  const form = useForm(async () => {
    await unlessGone(deleteUser(user.id))
    announce({ text: m.deleted(user.username) })
    navigate(PATTERNS.adminUsers)
  })
  const going = GOING.filter((name) => user.counts[name] > 0)
  return (
    <>
      <Button kind="danger" onClick={() => setAsked(true)}>
        {m.remove}
      </Button>
      {isAsked && (
        <FormDialog
          title={m.titled(m.remove, user.username)}
          action={m.remove}
          isDangerous
          form={form}
          onClose={() => setAsked(false)}
        >
          <p>{m.removeWhy(user.username)}</p>
          {going.length > 0 && <p>{m.goes}</p>}
          <dl className="admin-going">
            {going.map((name) => (
              <div key={name}>
                <dt>{m[name]}</dt>
                <dd>{user.counts[name].toLocaleString(locale)}</dd>
              </div>
            ))}
          </dl>
        </FormDialog>
      )}
    </>
  )
}
