import { defineMessages } from '../messages/messages'

/** What somebody answered to an invitation. */
export const answerWords = defineMessages({
  en: { Going: 'Going', Tentative: 'Tentative', Declined: 'Declined', unanswered: 'no answer yet' },
  de: {
    Going: 'Zugesagt',
    Tentative: 'Vorbehaltlich',
    Declined: 'Abgesagt',
    unanswered: 'noch keine Antwort',
  },
})
