import { useCallback } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { useLanguage, useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { announce } from '../parts/messages-store'
import { ConflictDialog } from '../store/ConflictDialog'
import type { Notice } from '../store/notes'
import { textOfNotice } from '../store/notices'
import { useNotices } from '../store/use-store'
import { openOver } from './over-page'

const messages = defineMessages({ en: { edit: 'Edit again' }, de: { edit: 'Noch einmal bearbeiten' } })

/** An event stands over the page; the editors of other things belong to pages of their own. */
const openAgain = (address: string): void =>
  address.startsWith('/events/') ? openOver(address) : navigate(address)

/** Says what became of changes on their way, and asks about those that met others. */
export function StoreNotes() {
  const { language } = useLanguage()
  const m = useMessages(messages)
  const tell = useCallback(
    (notice: Notice) => {
      const [isRefused, from] = ['refusal' in notice, 'from' in notice ? notice.from : undefined]
      announce({
        text: textOfNotice(notice, language),
        isError: isRefused,
        ...(from !== undefined && { way: { label: m.edit, go: () => openAgain(from) } }),
      })
    },
    [language, m],
  )
  useNotices(tell)
  return <ConflictDialog />
}
