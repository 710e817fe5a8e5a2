import { useState } from 'react'
import { call } from '../api/call'
import { refusalOf } from '../api/refusal'
import { useForm } from '../parts/use-form'
import { isPasskeyCancelled, unlockWithPasskey } from './passkey'

/** Two ways in which the user of a session proves who they are, which also unlock it: the password, or a passkey. */
export function useProof(onProven: () => Promise<void> | void) {
  const [isAsking, setAsking] = useState(false)
  const form = useForm(async ({ password }) => {
    await call('POST', 'auth/verify-password', { body: { password } })
    await onProven()
  })
  const usePasskey = async () => {
    setAsking(true)
    try {
      await unlockWithPasskey()
      await onProven()
    } catch (error) {
      const refusal = refusalOf(error)
      if (!refusal && !isPasskeyCancelled(error)) throw error
      form.refuse(refusal)
    } finally {
      setAsking(false)
    }
  }
  return { form, passkey: { isBusy: isAsking, onClick: () => void usePasskey() } }
}
