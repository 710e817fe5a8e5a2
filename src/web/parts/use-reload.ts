import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { wouldLoseByReload } from '../session/unsaved'
import { announce } from './messages-store'

const messages = defineMessages({
  en: {
    lost: 'A reload would lose what is typed here and not saved.',
    anyway: 'Reload anyway',
  },
  de: {
    lost: 'Neu laden würde verwerfen, was hier eingegeben und nicht gespeichert ist.',
    anyway: 'Trotzdem neu laden',
  },
})

/** Loads the page anew; where something typed would not outlive that, it asks first. */
export function useReload(): () => void {
  const m = useMessages(messages)
  return () => {
    if (!wouldLoseByReload()) return location.reload()
    announce({ text: m.lost, isError: true, way: { label: m.anyway, go: () => location.reload() } })
  }
}
