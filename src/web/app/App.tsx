import { type ComponentType, useEffect, useSyncExternalStore } from 'react'
import { Redirect, Route, Router, Switch, useLocation, useSearch } from 'wouter'
import { type Fetched, fetched, useFetched } from '../parts/fetched'
import { MissingClient, MissingDialog, missingOf } from '../parts/Missing'
import { useSession } from '../session/use-session'
import { useIdleLock } from '../lock/idle'
import { LockScreen } from '../lock/LockScreen'
import { endProof, proofAsked } from '../session/reauthenticate'
import type { Session } from '../session/session'
import { isEnterAddress, nextAddress, PATTERNS, signInAddress } from './addresses'
import { usePageLocation } from './over-page'
import { Splash } from './Splash'
import { Unreachable } from './Unreachable'

const frame = fetched(() => import('./Frame').then(({ Frame }): ComponentType => Frame))
// Somebody who is signed in needs none of these pages.
const enterPages = fetched(() => import('../sign-in/EnterPages').then(({ EnterPages: pages }) => pages))
const sessionDialogs = fetched(() => import('../session/SessionDialogs'))

/** Fetches what the address most likely shows, while the session is asked for. */
export const fetchAhead = () => (isEnterAddress(location.pathname) ? enterPages : frame).fetch()

/** Decides by the session which of the client's three faces shows: the sign-in family, the lock screen, or the frame with its pages. */
export function App() {
  const session = useSession()
  switch (session.is) {
    case 'unknown':
      return <Splash />
    case 'unreachable':
      return <Unreachable refusal={session.refusal} />
    case 'locked':
      return <LockScreen user={session.user} />
    case 'must-change-password':
      return (
        <>
          <Entering is={session.is} />
          <Dialogs session={session} />
        </>
      )
    case 'set-up':
    case 'signed-out':
      return <Entering is={session.is} />
    case 'signed-in':
    case 'ended':
      return <SignedIn session={session} />
  }
}

/** The frame, and what stands over it. */
function SignedIn({ session }: { readonly session: Extract<Session, { is: 'signed-in' | 'ended' }> }) {
  useIdleLock()
  const [location] = useLocation()
  const search = useSearch()
  if (isEnterAddress(location)) return <Redirect to={nextAddress(search)} replace />
  return (
    <>
      <Router hook={usePageLocation}>
        <Inside />
      </Router>
      <Dialogs session={session} />
    </>
  )
}

type DialogSession = Extract<Session, { is: 'signed-in' | 'ended' | 'must-change-password' }>

/** What stands over the page while the session needs something. */
function Dialogs({ session }: { readonly session: DialogSession }) {
  const isProofAsked = useSyncExternalStore(proofAsked.subscribe, proofAsked.read)
  return session.is === 'ended' || isProofAsked ? <SessionDialog session={session} /> : null
}

function SessionDialog({ session }: { readonly session: DialogSession }) {
  const part = useFetched(sessionDialogs)
  if (part.is === 'awaited') return null
  if (part.is === 'there') return <part.value.SessionDialogs session={session} />
  const missing = missingOf(sessionDialogs, part.reason)
  const giveUp = () => (session.is === 'ended' ? sessionDialogs.again() : endProof(false))
  return <MissingDialog {...missing} onClose={giveUp} />
}

const Inside = () => <Whole of={frame} />
const EnterPages = () => <Whole of={enterPages} />

/** The whole window. */
function Whole({ of }: { readonly of: Fetched<ComponentType> }) {
  const part = useFetched(of)
  if (part.is === 'missing') return <MissingClient {...missingOf(of, part.reason)} />
  return part.is === 'there' ? <part.value /> : <Splash />
}

function Entering({ is }: Pick<Session, 'is'>) {
  if (is === 'signed-out') return <SignedOut />
  return <Only path={is === 'set-up' ? PATTERNS.setup : PATTERNS.changePassword} />
}

/** One page of the sign-in family, whatever the address says. */
function Only({ path }: { readonly path: string }) {
  const [location, navigate] = useLocation()
  useEffect(() => {
    if (location !== path) navigate(path, { replace: true })
  }, [location, path, navigate])
  return location === path ? <EnterPages /> : null
}

function SignedOut() {
  const [location] = useLocation()
  const search = useSearch()
  return (
    <Switch>
      <Route path={PATTERNS.signIn} component={EnterPages} />
      <Route path={PATTERNS.register} component={EnterPages} />
      <Route path={PATTERNS.secondFactor} component={EnterPages} />
      <Route path={PATTERNS.secondFactorSetUp} component={EnterPages} />
      <Redirect to={signInAddress(search === '' ? location : `${location}?${search}`)} replace />
    </Switch>
  )
}
