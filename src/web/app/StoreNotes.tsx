import { useCallback } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { useLanguage, useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { announce } from '../parts/messages-store'
import { ConflictDialog } from '../store/ConflictDialog'
import type { Notice } from '../store/notes'
import { textOfNotice } from '../store/notices'
import { useNotices } from '../store/use-store'
import { PATTERNS } from './addresses'
import { openOver } from './over-page'

const messages = defineMessages({
  en: { edit: 'Edit again', changes: 'Recent changes' },
  de: { edit: 'Noch einmal bearbeiten', changes: 'Letzte Änderungen' },
})

/** An event stands over the page; the editors of other things belong to pages of their own. */
const openAgain = (address: string): void =>
  address.startsWith('/events/') ? openOver(address) : navigate(address)

/** Says what became of changes on their way, and asks about those that met others. */
export function StoreNotes() {
  const { language } = useLanguage()
  const m = useMessages(messages)
  const tell = useCallback(
    (notice: Notice) => {
      const from = 'from' in notice ? notice.from : undefined
      const isTooLate = notice.is === 'not-undone'
      announce({
        text: textOfNotice(notice, language),
        isError: 'refusal' in notice,
        ...(from !== undefined && { way: { label: m.edit, go: () => openAgain(from) } }),
        ...(isTooLate && { way: { label: m.changes, go: () => navigate(PATTERNS.recentChanges) } }),
      })
    },
    [language, m],
  )
  useNotices(tell)
  return <ConflictDialog />
}
