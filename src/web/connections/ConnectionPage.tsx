import { Link, useParams } from 'wouter'
import type { SharingConnectionView } from '../../features/people/connections/model'
import { PATTERNS } from '../app/addresses'
import { Gone } from '../app/Gone'
import { PLACES } from '../app/places'
import { useLocale, useMessages } from '../messages/language'
import { Icon } from '../parts/Icon'
import { PageHeading } from '../parts/PageHeading'
import { ProblemNote } from '../parts/ProblemNote'
import { Skeleton } from '../parts/Skeleton'
import { useStore } from '../store/use-store'
import { dateAt } from '../time/days'
import { periodTitle } from '../time/format'
import { useZone } from '../time/use-zone'
import { Between } from './Between'
import { messages } from './connection-page.messages'
import { useConnections } from './data'
import { Ending } from './Ending'
import { nameOf } from './names'
import { ProfileCard } from './ProfileCard'
import { SharingSwitches } from './SharingSwitches'
import { connectionTexts } from './texts'
import { useBetween } from './use-between'

const CONNECTIONS = PLACES[6]

/** Somebody with whom the user is connected: what each shows the other, and the end of it. */
export function ConnectionPage() {
  const m = useMessages(connectionTexts)
  const { loader } = useStore()
  const id = Number(useParams<{ id: string }>().id)
  const { connections, loading } = useConnections()
  const connection = connections.find((each) => each.id === id)
  if (connection) return <Connection key={id} connection={connection} />
  if (loading.is === 'loaded') return <Gone place={CONNECTIONS} />
  return (
    <>
      <PageHeading>{m.title}</PageHeading>
      {loading.is === 'refused' ? (
        <ProblemNote refusal={loading.refusal} onTryAgain={() => loader.retry()} />
      ) : (
        <Skeleton lines={6} />
      )}
    </>
  )
}

function Connection({ connection }: { readonly connection: SharingConnectionView }) {
  const m = useMessages(messages)
  const texts = useMessages(connectionTexts)
  const between = useBetween(connection.user_id)
  const name = nameOf(connection)
  return (
    <div className="connection-page">
      <Link href={PATTERNS.connections} className="settings-back">
        <Icon name="chevron-left" />
        {texts.title}
      </Link>
      <PageHeading>{name}</PageHeading>
      <Facts connection={connection} />
      <section aria-labelledby="they-show">
        <h2 id="they-show">{m.theyShow(name)}</h2>
        <ProfileCard
          profile={connection.shared_profile}
          networkName={connection.network_name}
          nothing={m.theyShowNothing(name)}
        />
      </section>
      <SharingSwitches connection={connection} />
      <Between name={name} between={between} />
      <Ending connection={connection} between={between} />
    </div>
  )
}

function Facts({ connection }: { readonly connection: SharingConnectionView }) {
  const m = useMessages(messages)
  const [locale, zone] = [useLocale(), useZone()]
  const { network_name: handle, person_id: person, created_at: at } = connection
  const day = dateAt(Temporal.Instant.from(at), zone)
  return (
    <p className="settings-lead">
      {[m.handle(handle), m.since(periodTitle(day, day, locale))].join(' · ')}
      {person !== null && (
        <>
          {' · '}
          <Link href={`/people/${person}`}>{m.inPeople}</Link>
        </>
      )}
    </p>
  )
}
