import { useCallback, useState } from 'react'
import type { EventView } from '../../features/events/events/model'
import type { InvitationView } from '../../features/events/invitations/model'
import { useAnswer } from '../api/use-answer'
import { isLocal } from '../store/commands'
import { useRowsOf } from '../store/use-store'
import { useWriting } from '../store/use-writing'
import { takingBack } from './intents'
import { readInvitations } from './reads'

const NOBODY: readonly InvitationView[] = []

/** Who is invited already, with the answers that hold for the occurrence; an event of this device has nobody yet. */
export function useInvitations(event: EventView | undefined) {
  const id = event?.id ?? 0
  const isKnown = id !== 0 && !isLocal(id)
  const at = event?.occurrence_start ?? undefined
  const ask = useCallback(async () => (isKnown ? readInvitations(id, at) : NOBODY), [isKnown, id, at])
  const { value, refusal, again, amend } = useAnswer(ask)
  useRowsOf({ kind: 'event', id }, again)
  const write = useWriting()
  const [underWay, setUnderWay] = useState<readonly number[]>([])
  const takeBack = async (invitation: InvitationView, said: string) => {
    setUnderWay((before) => [...before, invitation.id])
    const { is } = await write(takingBack(invitation, said)).done
    if (is === 'confirmed') amend((list) => list.filter((each) => each.id !== invitation.id))
    setUnderWay((before) => before.filter((each) => each !== invitation.id))
  }
  const list = (value ?? NOBODY).filter((each) => !underWay.includes(each.id))
  return { list, isRead: value !== undefined, refusal, again, takeBack }
}
export type Invitations = ReturnType<typeof useInvitations>
