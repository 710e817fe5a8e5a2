import { type ReactNode, useId } from 'react'
import { Link } from 'wouter'
import type { PersonView } from '../../features/people/people/model'
import { DetailHeading } from '../app/DetailLayout'
import { useShortcuts } from '../app/shortcuts'
import { useLocale, useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { Icon } from '../parts/Icon'
import { MenuButton } from '../parts/MenuButton'
import { Avatar } from './Avatar'
import { useBirthdayWords } from './birthday-words'
import { shownBirthday } from './birthdays'
import { useBooks, useConnections } from './data'
import { type PeopleFilters, peopleAddress } from './filters'
import { nameOf } from './names'
import { PersonHistory } from './PersonHistory'
import { peopleTexts } from './texts'
import { usePersonActions } from './use-person-actions'

const messages = defineMessages({
  en: {
    here: 'On this page',
    editPerson: 'Edit the opened person',
    at: (job: string, company: string) => `${job}, ${company}`,
    sharedBy: (user: string) => `Shared by ${user}`,
    sharesNothing: (user: string) => `${user} shares nothing with you at the moment.`,
    connection: 'Open the connection',
    nothing: 'Nothing but the name is known yet.',
  },
  de: {
    here: 'Auf dieser Seite',
    editPerson: 'Die geöffnete Person bearbeiten',
    at: (job, company) => `${job}, ${company}`,
    sharedBy: (user) => `Geteilt von ${user}`,
    sharesNothing: (user) => `${user} teilt zurzeit nichts.`,
    connection: 'Kontakt öffnen',
    nothing: 'Außer dem Namen ist noch nichts bekannt.',
  },
})

interface PersonCardProps {
  readonly person: PersonView
  readonly filters: PeopleFilters
}

/** Everything that is known of a person, with what one can do. */
export function PersonCard({ person, filters }: PersonCardProps) {
  const m = useMessages(messages)
  const texts = useMessages(peopleTexts)
  const { actions, dialog, edit, favour } = usePersonActions(person, filters)
  const name = nameOf(person)
  useShortcuts([{ keys: 'e', label: m.editPerson, group: m.here, run: edit }])
  return (
    <>
      <header className="person-head">
        <Avatar name={name} isLarge />
        <DetailHeading>{name}</DetailHeading>
        <Work person={person} />
      </header>
      <div className="person-actions">
        <Button onClick={edit}>
          <Icon name="edit" />
          {texts.edit}
        </Button>
        <Button
          kind="quiet"
          aria-pressed={person.is_favourite}
          aria-label={texts.favourite}
          title={texts.favourite}
          onClick={favour}
        >
          <Icon name="star" />
        </Button>
        <MenuButton kind="quiet" actions={actions} aria-label={texts.more(name)} title={texts.more(name)}>
          <Icon name="more" />
        </MenuButton>
      </div>
      <Known person={person} filters={filters} />
      <Shared person={person} />
      <PersonHistory person={person} />
      {dialog}
    </>
  )
}

function Work({
  person: { first_name, last_name, nickname, job_title: job, company },
}: Pick<PersonCardProps, 'person'>) {
  const m = useMessages(messages)
  const work = job !== null && company !== null ? m.at(job, company) : (job ?? company)
  const isNamed = first_name !== null || last_name !== null
  const lines = [isNamed && nickname !== null ? `“${nickname}”` : null, work].filter((line) => line !== null)
  return lines.map((line) => (
    <p key={line} className="person-work">
      {line}
    </p>
  ))
}

function Known({ person, filters }: PersonCardProps) {
  const m = useMessages(messages)
  const texts = useMessages(peopleTexts)
  const books = useBooks()
  const book = books.length > 1 ? books.find(({ id }) => id === person.book_id) : undefined
  const { email, phone, mobile, address, birthday, notes, category } = person
  const isBare = [email, phone, mobile, address, birthday, notes, category].every((value) => value === null)
  return (
    <>
      {isBare && person.linked_user_id === null && <p className="person-work">{m.nothing}</p>}
      <dl className="person-facts">
        <Facts {...{ email, phone, mobile, birthday, address }} />
        {category !== null && (
          <Fact label={texts.category}>
            <Link href={peopleAddress({ ...filters, category })}>{category}</Link>
          </Fact>
        )}
        {book && (
          <Fact label={texts.book}>
            <Link href={peopleAddress({ ...filters, book: book.id })}>{book.name}</Link>
          </Fact>
        )}
        {notes !== null && <Fact label={texts.notes}>{notes}</Fact>}
      </dl>
    </>
  )
}

/** What the connected user shares, who alone changes it. */
function Shared({
  person: { linked_user_id: user, shared_profile: shared },
}: Pick<PersonCardProps, 'person'>) {
  const m = useMessages(messages)
  const texts = useMessages(peopleTexts)
  const id = useId()
  const connection = useConnections().find(({ user_id: each }) => each === user)
  if (user === null || !connection) return null
  const { preferred_name, first_name, last_name, company, job_title, ...facts } = shared ?? {}
  const named = { preferred_name, first_name, last_name, company, job_title }
  const names = Object.entries(named).filter(([, value]) => typeof value === 'string')
  const isBare = [...names, ...Object.values(facts).filter((value) => value !== null)].length === 0
  return (
    <section aria-labelledby={id} className="person-shared">
      <h2 id={id}>{m.sharedBy(connection.network_name)}</h2>
      {isBare && <p>{m.sharesNothing(connection.network_name)}</p>}
      <dl className="person-facts">
        {names.map(([field, value]) => (
          <Fact key={field} label={texts[field as keyof typeof named]}>
            {value}
          </Fact>
        ))}
        <Facts {...facts} />
      </dl>
      <Link href={`/connections/${connection.id}`}>{m.connection}</Link>
    </section>
  )
}

type Reachable = Partial<
  Readonly<Record<'email' | 'phone' | 'mobile' | 'birthday' | 'address', string | null | undefined>>
>

/** How somebody can be reached, as links that mail and phone programs open, and the birthday with the age. */
function Facts({ email, phone, mobile, birthday, address }: Reachable) {
  const texts = useMessages(peopleTexts)
  const locale = useLocale()
  const words = useBirthdayWords()
  return (
    <>
      {email && (
        <Fact label={texts.email}>
          <a href={`mailto:${email}`}>{email}</a>
        </Fact>
      )}
      <PhoneFact label={texts.mobile} number={mobile} />
      <PhoneFact label={texts.phone} number={phone} />
      {birthday && (
        <Fact label={texts.birthday}>
          {shownBirthday(birthday, locale)}
          <small>{words.about(birthday)}</small>
        </Fact>
      )}
      {address && <Fact label={texts.address}>{address}</Fact>}
    </>
  )
}

function PhoneFact({
  label,
  number,
}: {
  readonly label: string
  readonly number: string | null | undefined
}) {
  if (!number) return null
  return (
    <Fact label={label}>
      <a href={`tel:${number.replaceAll(/[^\d+*#,;]/g, '')}`}>{number}</a>
    </Fact>
  )
}

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
