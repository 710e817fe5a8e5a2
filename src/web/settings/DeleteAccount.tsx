import { useId } from 'react'
import { call } from '../api/call'
import { useMessages } from '../messages/language'
import { Button } from '../parts/Button'
import { Dialog } from '../parts/Dialog'
import { FormAlert } from '../parts/Form'
import { Skeleton } from '../parts/Skeleton'
import { useForm } from '../parts/use-form'
import { OwnPassword } from '../session/OwnPassword'
import { leaveEverywhere } from '../session/sign-out'
import { useSignedIn } from '../session/use-session'
import type { KeptKind } from '../store/kinds'
import { useRecords } from '../store/use-store'
import { messages } from './account.messages'
import { ExportEverything } from './ExportEverything'

/** Says what goes with the account, offers to take it along, and asks for a proof. */
export function DeleteAccount({ onClose }: { readonly onClose: () => void }) {
  const m = useMessages(messages)
  const id = useId()
  const { user } = useSignedIn()
  const form = useForm(async ({ password }) => {
    await call('DELETE', 'auth/account', { body: { password } })
    leaveEverywhere()
  })
  const isBusy = form.isBusy || form.waitSeconds > 0
  return (
    <Dialog
      title={m.delete}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{m.cancel}</Button>
          <Button kind="danger" type="submit" form={id} isBusy={isBusy}>
            {m.confirm}
          </Button>
        </>
      }
    >
      <p>{m.goes}</p>
      <WhatGoes />
      <p>{m.exportFirst}</p>
      <ExportEverything />
      <form {...form.props} id={id} className="settings-form">
        <FormAlert form={form} />
        <OwnPassword form={form} user={user} />
      </form>
    </Dialog>
  )
}

/** How many records of a kind the user owns; undefined until they are read. */
function useCount(kind: KeptKind): number | undefined {
  const { items, loading } = useRecords(kind)
  const own = items.filter((item) => !('access' in item) || (item.access === 'owner' && !isSystem(item)))
  return loading.is === 'loading' ? undefined : own.length
}

const isSystem = (item: object): boolean => 'is_system' in item && item.is_system === true

function WhatGoes() {
  const m = useMessages(messages)
  const counts = [
    [useCount('calendar'), m.calendars],
    [useCount('todo'), m.todos],
    [useCount('reminder'), m.reminders],
    [useCount('project'), m.projects],
    [useCount('person'), m.people],
    [useCount('connection'), m.connections],
  ] as const
  if (counts.some(([count]) => count === undefined)) return <Skeleton lines={6} />
  return (
    <ul className="what-goes">
      {counts.map(([count = 0, text]) => count > 0 && <li key={text(count)}>{text(count)}</li>)}
      <li>{m.rest}</li>
    </ul>
  )
}
