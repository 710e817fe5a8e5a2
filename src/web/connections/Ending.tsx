import { useId, useState } from 'react'
import { useLocation } from 'wouter'
import type { SharingConnectionView } from '../../features/people/connections/model'
import { PATTERNS } from '../app/addresses'
import { useMessages } from '../messages/language'
import { Button } from '../parts/Button'
import { ConfirmDialog } from '../parts/ConfirmDialog'
import type { Intent } from '../store/commands'
import { useWriting } from '../store/use-writing'
import { messages } from './connection-page.messages'
import { blockingConnection, disconnecting } from './intents'
import { nameOf } from './names'
import { connectionTexts } from './texts'
import type { useBetween } from './use-between'

interface EndingProps {
  readonly connection: SharingConnectionView
  readonly between: ReturnType<typeof useBetween>
}

/** The two ways to end a connection. Each says first what ends with it. */
export function Ending({ connection, between }: EndingProps) {
  const m = useMessages(messages)
  const texts = useMessages(connectionTexts)
  const write = useWriting()
  const [, navigate] = useLocation()
  const [asked, ask] = useState<'disconnect' | 'block'>()
  const name = nameOf(connection)
  const end = (intent: Intent) => {
    ask(undefined)
    navigate(PATTERNS.connections)
    write(intent)
  }
  return (
    <section aria-labelledby="end">
      <h2 id="end">{m.end}</h2>
      <p>{m.endHint(name)}</p>
      <div className="share-actions">
        <Button onClick={() => ask('disconnect')}>{m.disconnect}</Button>
        <Button onClick={() => ask('block')}>{texts.block}</Button>
      </div>
      {asked === 'disconnect' && (
        <ConfirmDialog
          title={m.disconnect}
          action={m.disconnect}
          onConfirm={() => end(disconnecting(connection, m.disconnected(name)))}
          onClose={() => ask(undefined)}
        >
          <WhatEnds name={name} between={between} />
          <p>{m.stays(name)}</p>
        </ConfirmDialog>
      )}
      {asked === 'block' && (
        <ConfirmDialog
          title={texts.block}
          action={texts.block}
          onConfirm={() => end(blockingConnection(connection, texts.blocked(name)))}
          onClose={() => ask(undefined)}
        >
          <p>{texts.blockHint(name)}</p>
          <WhatEnds name={name} between={between} />
        </ConfirmDialog>
      )}
    </section>
  )
}

function WhatEnds({ name, between }: Pick<EndingProps, 'between'> & { readonly name: string }) {
  const m = useMessages(messages)
  const id = useId()
  const { yours, theirs } = between
  const yourNames = yours?.map(({ calendar }) => calendar.name)
  const theirNames = theirs.map((calendar) => calendar.name)
  return (
    <>
      <p id={id}>{m.ends}</p>
      <ul className="what-ends" aria-labelledby={id}>
        {yourNames === undefined && <li>{m.endsUnknown}</li>}
        {yourNames && yourNames.length > 0 && <li>{m.endsYours(yourNames, name)}</li>}
        {theirNames.length > 0 && <li>{m.endsTheirs(theirNames, name)}</li>}
        <li>{m.endsEvents}</li>
        <li>{m.endsProfile}</li>
      </ul>
    </>
  )
}
