import { Link } from 'wouter'
import type { SharingConnectionView } from '../../features/people/connections/model'
import { connectionAddress } from '../app/addresses'
import { CalendarInvites } from '../calendars/CalendarInvites'
import { useMessages } from '../messages/language'
import { Avatar } from '../parts/Avatar'
import { EmptyState } from '../parts/EmptyState'
import { Icon } from '../parts/Icon'
import { ItemList } from '../parts/ItemList'
import { PageHeading } from '../parts/PageHeading'
import { ProblemNote } from '../parts/ProblemNote'
import { Skeleton } from '../parts/Skeleton'
import { useStore } from '../store/use-store'
import { Blocks } from './Blocks'
import { useConnections, usePending } from './data'
import { FindPerson } from './FindPerson'
import { nameOf } from './names'
import { OwnName } from './OwnName'
import { IncomingRequests, OutgoingRequests } from './Requests'
import { connectionTexts } from './texts'

/** With whom the user is connected, what waits for an answer, and how to find others. */
export function ConnectionsPage() {
  const m = useMessages(connectionTexts)
  const { loader } = useStore()
  const { loading } = usePending('incoming')
  return (
    <div className="connections">
      <PageHeading>{m.title}</PageHeading>
      <p className="settings-lead">{m.lead}</p>
      <div className="connections-columns">
        <div className="connections-column">
          {loading.is === 'refused' && (
            <ProblemNote refusal={loading.refusal} onTryAgain={() => loader.retry()} />
          )}
          <IncomingRequests />
          <CalendarInvites />
          <ConnectionList />
        </div>
        <div className="connections-column">
          <FindPerson />
          <OutgoingRequests />
          <OwnName />
          <Blocks />
        </div>
      </div>
    </div>
  )
}

function ConnectionList() {
  const m = useMessages(connectionTexts)
  const { loader } = useStore()
  const { connections, loading } = useConnections()
  return (
    <section aria-labelledby="connections-title">
      <h2 id="connections-title">{m.yours}</h2>
      {loading.is === 'refused' && (
        <ProblemNote refusal={loading.refusal} onTryAgain={() => loader.retry()} />
      )}
      {loading.is === 'loading' && connections.length === 0 && <Skeleton lines={4} />}
      {loading.is === 'loaded' && connections.length === 0 && (
        <EmptyState icon="connections" title={m.none}>
          <p>{m.noneHint}</p>
        </EmptyState>
      )}
      {connections.length > 0 && (
        <ItemList
          label={m.title}
          lineHeight={57}
          items={connections.map((connection) => ({ key: String(connection.id), connection }))}
        >
          {({ connection }) => <Line connection={connection} />}
        </ItemList>
      )}
    </section>
  )
}

function Line({ connection }: { readonly connection: SharingConnectionView }) {
  const { id, network_name: handle } = connection
  const name = nameOf(connection)
  return (
    <Link href={connectionAddress(id)} className="share connection-link">
      <Avatar name={name} />
      <span className="share-name">
        {name}
        {name !== handle && <span className="field-hint">{handle}</span>}
      </span>
      <Icon name="chevron-right" />
    </Link>
  )
}
