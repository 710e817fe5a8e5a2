import type { RequestView } from '../../features/people/requests/model'
import { refusalOf } from '../api/refusal'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { useRefusals } from '../messages/refusals'
import { announce } from '../parts/messages-store'
import { useStore } from '../store/use-store'
import { cancelling } from './intents'
import { nameOf } from './names'
import { sendRequest } from './calls'

const messages = defineMessages({
  en: { cancelled: (name: string) => `Cancelled the request to ${name}` },
  de: { cancelled: (name) => `Anfrage an ${name} zurückgezogen` },
})

/** Returns a function that takes a request back. "Undo" sends the same once more, as the service never undoes a cancellation. */
export function useCancelling(): (request: RequestView) => void {
  const m = useMessages(messages)
  const store = useStore()
  const { sentence } = useRefusals()
  return (request) => {
    const { user, message } = request
    const said = m.cancelled(nameOf(user))
    const { done } = store.run(cancelling(request, said))
    const sendAgain = async () => {
      if ((await done).is !== 'confirmed') return
      try {
        await sendRequest({ network_name: user.network_name, message })
      } catch (error) {
        const refusal = refusalOf(error)
        if (!refusal) throw error
        announce({ text: sentence(refusal), isError: true })
      }
    }
    announce({ text: said, undo: () => void sendAgain() })
  }
}
