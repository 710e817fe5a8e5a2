import { useState } from 'react'
import { Link } from 'wouter'
import type { CalendarView } from '../../features/calendars/calendars/model'
import type { MemberView } from '../../features/calendars/members/model'
import type { ConnectionView } from '../../features/people/connections/model'
import { PATTERNS } from '../app/addresses'
import { matching, meant, wholeNameOf } from '../connections/names'
import { useMessages } from '../messages/language'
import { Button } from '../parts/Button'
import { FormAlert } from '../parts/Form'
import { announce } from '../parts/messages-store'
import { ProblemNote } from '../parts/ProblemNote'
import { Select } from '../parts/Select'
import { Skeleton } from '../parts/Skeleton'
import { SuggestField } from '../parts/SuggestField'
import { useForm } from '../parts/use-form'
import { useRecords, useStore } from '../store/use-store'
import { type Permission, shareCalendar } from './sharing'
import { sharingTexts } from './sharing.messages'

interface ShareFormProps {
  readonly calendar: CalendarView
  readonly members: readonly MemberView[]
  readonly onShared: () => void
}

/** Offers a calendar to a connection. */
export function ShareForm(props: ShareFormProps) {
  const m = useMessages(sharingTexts)
  const { items: connections, loading } = useRecords('connection')
  const { loader } = useStore()
  if (loading.is === 'loading') return <Skeleton lines={2} />
  if (loading.is === 'refused')
    return <ProblemNote refusal={loading.refusal} onTryAgain={() => loader.retry()} />
  if (connections.length === 0)
    return (
      <p>
        {m.noConnections} <Link href={PATTERNS.connections}>{m.connect}</Link>
      </p>
    )
  return <Fields {...props} connections={connections} />
}

/** More would hide the page. */
const MOST = 40

interface FieldsProps extends ShareFormProps {
  readonly connections: readonly ConnectionView[]
}

function Fields(props: FieldsProps) {
  const m = useMessages(sharingTexts)
  const { form, free, typed, setTyped, permission, setPermission } = useSharing(props)
  const options = matching(free, typed).slice(0, MOST)
  return (
    <form {...form.props} className="share-form">
      <FormAlert form={form} />
      <SuggestField
        label={m.who}
        name="person"
        hint={m.whoHint}
        placeholder={m.placeholder}
        value={typed}
        problem={form.problems['person']}
        options={options.map((each) => ({ value: String(each.user_id), label: wholeNameOf(each) }))}
        onChange={setTyped}
        onChoose={(id) => {
          const chosen = free.find(({ user_id: userId }) => String(userId) === id)
          if (chosen) setTyped(wholeNameOf(chosen))
        }}
      />
      <Select
        label={m.may}
        options={[
          { value: 'read', label: m.mayRead },
          { value: 'write', label: m.mayWrite },
        ]}
        value={permission}
        onChange={setPermission}
      />
      <Button type="submit" isBusy={form.isBusy || form.waitSeconds > 0}>
        {m.share}
      </Button>
    </form>
  )
}

function useSharing({ calendar, members, connections, onShared }: FieldsProps) {
  const m = useMessages(sharingTexts)
  const [typed, setTyped] = useState('')
  const [permission, setPermission] = useState<Permission>('read')
  const free = connections.filter((each) => members.every(({ user_id: id }) => id !== each.user_id))
  const problem = () => {
    if (typed.trim() === '') return m.choose
    const known = meant(connections, typed)
    return known ? m.already(known.network_name) : m.unknown(typed.trim())
  }
  const form = useForm(
    async () => {
      const person = meant(free, typed)
      if (!person) return
      await shareCalendar(calendar.id, { user_id: person.user_id, permission })
      setTyped('')
      onShared()
      announce({ text: m.offered(calendar.name, person.network_name) })
    },
    () => (meant(free, typed) ? {} : { person: problem() }),
  )
  return { form, free, typed, setTyped, permission, setPermission }
}
