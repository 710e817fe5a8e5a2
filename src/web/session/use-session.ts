import { useSyncExternalStore } from 'react'
import { type Session, sessions } from './session'

export const useSession = (): Session => useSyncExternalStore(sessions.subscribe, sessions.read)

type OpenSession = Extract<Session, { is: 'signed-in' | 'ended' }>

/** The signed-in user; only pages below the frame may ask. */
export function useSignedIn(): OpenSession {
  const session = useSession()
  if (session.is !== 'signed-in' && session.is !== 'ended') throw new Error('Nobody is signed in')
  return session
}
