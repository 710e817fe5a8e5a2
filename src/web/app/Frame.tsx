import { type MouseEvent, useEffect, useState } from 'react'
import { matchRoute, Redirect, Route, useLocation, useRouter } from 'wouter'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { MessagesRegion } from '../parts/MessagesRegion'
import { opened } from '../parts/opened'
import { useScreen } from '../parts/use-screen'
import { useSignedIn } from '../session/use-session'
import { useHasStore } from '../store/use-store'
import { MainNavigation } from './MainNavigation'
import { UnknownAddress } from './NotHere'
import { PageBoundary } from './PageBoundary'
import { Openings } from './Openings'
import type { FrameContents, Page } from './contents'
import { CONTENTS } from './pages'
import { type MainPlace, PLACES } from './places'
import { StoreNotes } from './StoreNotes'
import { TopBar } from './TopBar'
import { UpdateNote } from './UpdateNote'
import { useAccountActions } from './use-account-actions'
import { useFrameShortcuts } from './use-frame-shortcuts'
import { useScrollMemory } from './use-scroll-memory'
import { watchConnection } from './watch-connection'

const ShortcutSheet = opened(() => import('./ShortcutSheet').then((module) => module.ShortcutSheet))

const messages = defineMessages({
  en: { skip: 'Skip to content' },
  de: { skip: 'Zum Inhalt springen' },
})

/** What stands around every page of somebody who is signed in (contract: web.frame). */
export function Frame({ contents = CONTENTS }: { readonly contents?: FrameContents }) {
  const [isSheetOpen, setSheetOpen] = useState(false)
  const [location] = useLocation()
  const hasStore = useHasStore()
  const page = usePage(contents.pages)
  const places = usePlaces(contents.pages)
  const screen = useScreen()
  const showShortcuts = () => setSheetOpen(true)
  const accountActions = useAccountActions(showShortcuts)
  useFrameShortcuts({ places, accountActions, showShortcuts })
  useScrollMemory(page?.detail !== undefined && screen !== 'phone' ? page.pattern : location)
  useEffect(watchConnection, [])
  const navigation = <MainNavigation places={places} current={page?.place} contents={contents} />
  return (
    <div className="frame">
      <SkipLink />
      <TopBar contents={contents} accountActions={accountActions} />
      {screen !== 'phone' && navigation}
      <main id="content" className="content" tabIndex={-1} data-region>
        <PageBoundary address={location}>
          <CurrentPage page={page} contents={contents} home={places[0]} />
        </PageBoundary>
      </main>
      {screen === 'phone' && navigation}
      <MessagesRegion />
      {hasStore && <StoreNotes />}
      <UpdateNote />
      <Openings contents={contents} places={places} accountActions={accountActions} />
      {isSheetOpen && <ShortcutSheet onClose={() => setSheetOpen(false)} />}
    </div>
  )
}

interface CurrentPageProps {
  readonly page: Page | undefined
  readonly contents: FrameContents
  readonly home: MainPlace | undefined
}

function CurrentPage({ page, contents, home }: CurrentPageProps) {
  const [location] = useLocation()
  const { parser } = useRouter()
  if (page) {
    const path = patternsOf(page).find((pattern) => matchRoute(parser, pattern, location)[0]) ?? page.pattern
    return <Route key={page.pattern} path={path} component={page.component} />
  }
  if (location === '/' && home) return <Redirect to={home.path} replace />
  return <UnknownAddress contents={contents} home={home} />
}

function usePage(pages: readonly Page[]): Page | undefined {
  const { parser } = useRouter()
  const [location] = useLocation()
  return pages.find((page) => patternsOf(page).some((pattern) => matchRoute(parser, pattern, location)[0]))
}

const patternsOf = ({ pattern, detail }: Page): string[] =>
  detail === undefined ? [pattern] : [pattern, detail]

/** The places that have a page, for those who may see them. */
function usePlaces(pages: readonly Page[]): readonly MainPlace[] {
  const { user } = useSignedIn()
  return PLACES.filter(
    ({ name }) => pages.some(({ place }) => place === name) && (name !== 'administration' || user.isAdmin),
  )
}

/** Moves the focus without a step of the history, which a fragment would make. */
function skipToContent(event: MouseEvent): void {
  event.preventDefault()
  document.getElementById('content')?.focus()
}

function SkipLink() {
  const m = useMessages(messages)
  return (
    <a href="#content" className="skip-link" onClick={skipToContent}>
      {m.skip}
    </a>
  )
}
