import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'

const messages = defineMessages({
  en: { text: (text: string) => text },
  de: { text: (text: string) => text },
})

/** The samples' own texts, which the pseudo-locales lengthen and turn round as they do those of the client. */
export const useSampleText = () => useMessages(messages).text
