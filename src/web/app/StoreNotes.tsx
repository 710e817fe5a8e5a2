import { useCallback } from 'react'
import { useLocation } from 'wouter'
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

/** Says what became of changes on their way, and asks about those that met others. */
export function StoreNotes() {
  const { language } = useLanguage()
  const m = useMessages(messages)
  const [, navigate] = useLocation()
  const tell = useCallback(
    (notice: Notice) => {
      const from = 'from' in notice ? notice.from : undefined
      const isTooLate = notice.is === 'not-undone'
      announce({
        text: textOfNotice(notice, language),
        isError: 'refusal' in notice,
        ...(from !== undefined && { way: { label: m.edit, go: () => openOver(from) } }),
        ...(isTooLate && { way: { label: m.changes, go: () => navigate(PATTERNS.recentChanges) } }),
      })
    },
    [language, m, navigate],
  )
  useNotices(tell)
  return <ConflictDialog />
}
