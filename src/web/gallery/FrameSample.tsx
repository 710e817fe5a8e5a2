import { useState, useSyncExternalStore } from 'react'
import { Link, useParams } from 'wouter'
import { DetailHeading, DetailLayout } from '../app/DetailLayout'
import { Frame } from '../app/Frame'
import { Gone } from '../app/Gone'
import type { Creation, FrameContents } from '../app/contents'
import { CONTENTS } from '../app/pages'
import { PLACES } from '../app/places'
import { PATTERNS } from '../app/addresses'
import { announce } from '../parts/messages-store'
import { ItemList } from '../parts/ItemList'
import { PageHeading } from '../parts/PageHeading'
import { sessions, setSession } from '../session/session'
import { useSampleText } from './texts'

/** A page as long as several windows, for scrolling. */
function SamplePage() {
  const t = useSampleText()
  return (
    <>
      <PageHeading>{t('A sample page')}</PageHeading>
      {Array.from({ length: 60 }, (_, line) => (
        <p key={line} className="gallery-row gallery-line">
          <Link href={`/todos/${line + 1}`}>{t(`Line ${line + 1}`)}</Link>
        </p>
      ))}
    </>
  )
}

function SampleItem() {
  const { id = '' } = useParams()
  const t = useSampleText()
  return id === '7' ? <Gone place={PLACES[2]} /> : <PageHeading>{t(`Item ${id}`)}</PageHeading>
}

const LINES = Array.from({ length: 5000 }, (_, index) => ({ key: String(index + 1) }))

/** A long list whose lines move, and what is opened of it. */
function SampleList() {
  const { id } = useParams()
  const t = useSampleText()
  const [items, setItems] = useState(LINES)
  return (
    <DetailLayout
      label={t('Reminder')}
      listAddress={PATTERNS.reminders}
      detail={id !== undefined && <DetailHeading key={id}>{t(`Item ${id}`)}</DetailHeading>}
    >
      <PageHeading>{t('A long list')}</PageHeading>
      <ItemList
        label={t('Reminders')}
        items={items}
        onMove={(item, to) =>
          setItems((before) => before.filter((each) => each !== item).toSpliced(to, 0, item))
        }
        onKey={(item, { key }) => {
          if (key === 'Delete') setItems((before) => before.filter((each) => each !== item))
        }}
      >
        {({ key }) => (
          <p className="gallery-line">
            <Link href={`/reminders/${key}`}>{t(`Line ${key}`)}</Link>
          </p>
        )}
      </ItemList>
    </DetailLayout>
  )
}

const creation = (name: Creation['name'], icon: Creation['icon']): Creation => ({
  name,
  icon,
  run: () => announce({ text: `New ${name}` }),
})

/** A frame whose every place has a page. */
const FULL: FrameContents = {
  pages: [
    ...CONTENTS.pages.filter(({ place }) => place === 'settings'),
    { pattern: PATTERNS.reminders, detail: PATTERNS.reminder, place: 'reminders', component: SampleList },
    ...PLACES.filter(({ name }) => name !== 'settings' && name !== 'reminders').map(({ name, path }) => ({
      pattern: path,
      place: name,
      component: SamplePage,
    })),
    { pattern: PATTERNS.todo, place: 'todos', component: SampleItem },
    { pattern: PATTERNS.search, component: SamplePage },
  ],
  creations: [
    creation('event', 'calendar'),
    creation('todo', 'todos'),
    creation('reminder', 'reminders'),
    creation('project', 'projects'),
    creation('person', 'people'),
    creation('calendar', 'appearance'),
  ],
}

setSession({
  is: 'signed-in',
  user: {
    id: 1,
    username: 'ada',
    isAdmin: true,
    hasPassword: true,
    hasPasskeys: false,
    provider: null,
    isProviderOnly: false,
  },
  settings: { time_zone: 'Europe/Berlin' } as never,
})

export function FrameSample() {
  const session = useSyncExternalStore(sessions.subscribe, sessions.read)
  return session.is === 'signed-in' || session.is === 'ended' ? <Frame contents={FULL} /> : <main />
}
