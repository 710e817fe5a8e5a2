import { lazy, Suspense, useEffect, useSyncExternalStore } from 'react'
import { Redirect, Route, Router, Switch, useLocation, useSearch } from 'wouter'
import { useSession } from '../session/use-session'
import { useIdleLock } from '../lock/idle'
import { LockScreen } from '../lock/LockScreen'
import { proofAsked } from '../session/reauthenticate'
import type { Session } from '../session/session'
import { isEnterAddress, nextAddress, PATTERNS, signInAddress } from './addresses'
import { usePageLocation } from './over-page'
import { Splash } from './Splash'
import { Unreachable } from './Unreachable'

const Frame = lazy(() => import('./Frame').then(({ Frame: component }) => ({ default: component })))
// Somebody who is signed in needs none of these pages.
const EnterPages = lazy(() =>
  import('../sign-in/EnterPages').then(({ EnterPages: component }) => ({ default: component })),
)
const SessionDialogs = lazy(() =>
  import('../session/SessionDialogs').then(({ SessionDialogs: component }) => ({ default: component })),
)

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
    case 'set-up':
    case 'must-change-password':
    case 'signed-out':
      return (
        <Suspense fallback={<Splash />}>
          <Entering is={session.is} />
        </Suspense>
      )
    case 'signed-in':
    case 'ended':
      return <SignedIn session={session} />
  }
}

/** The frame, and what stands over it while the session needs something. */
function SignedIn({ session }: { readonly session: Extract<Session, { is: 'signed-in' | 'ended' }> }) {
  useIdleLock()
  const isProofAsked = useSyncExternalStore(proofAsked.subscribe, proofAsked.read)
  const [location] = useLocation()
  const search = useSearch()
  if (isEnterAddress(location)) return <Redirect to={nextAddress(search)} replace />
  return (
    <>
      <Router hook={usePageLocation}>
        <Suspense fallback={<Splash />}>
          <Frame />
        </Suspense>
      </Router>
      <Suspense>{(session.is === 'ended' || isProofAsked) && <SessionDialogs session={session} />}</Suspense>
    </>
  )
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
