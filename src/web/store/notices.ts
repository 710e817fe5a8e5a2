import { defineMessages, textsIn } from '../messages/messages'
import type { Language } from '../messages/messages'
import { refusalSentence } from '../messages/refusals'
import type { Notice } from './notes'

const messages = defineMessages({
  en: {
    undone: (said: string) => `Undone: ${said}`,
    merged: (said: string) => `${said}. It was also changed elsewhere; both changes are kept.`,
    refused: (said: string, why: string) => `Not saved: ${said}. ${why}`,
    notUndone: (said: string, why: string) => `Could not be undone: ${said}. ${why}`,
    gone: 'It is gone.',
    unknown: 'Something went wrong on the service’s side.',
  },
  de: {
    undone: (said) => `Rückgängig gemacht: ${said}`,
    merged: (said) => `${said}. Auch anderswo wurde etwas geändert; beides bleibt erhalten.`,
    refused: (said, why) => `Nicht gespeichert: ${said}. ${why}`,
    notUndone: (said, why) => `Nicht rückgängig zu machen: ${said}. ${why}`,
    gone: 'Es ist nicht mehr da.',
    unknown: 'Beim Dienst ist etwas schiefgegangen.',
  },
})

/** What a notice tells, in a sentence or two. */
export function textOfNotice(notice: Notice, language: Language): string {
  const m = textsIn(messages, language)
  if (!('refusal' in notice)) return m[notice.is](notice.said)
  const { status } = notice.refusal
  const isGone = status === 404 || status === 410
  const why = isGone ? m.gone : status >= 500 ? m.unknown : refusalSentence(notice.refusal, language)
  return notice.is === 'refused' ? m.refused(notice.said, why) : m.notUndone(notice.said, why)
}
