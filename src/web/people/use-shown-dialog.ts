import { useLocation, useSearch } from 'wouter'
import { addressWith } from '../app/addresses'

/** What stands over the page of people, as its address says, so that Back closes it. */
const DIALOGS = ['new', 'edit', 'books', 'files'] as const
export type PeopleDialog = (typeof DIALOGS)[number]

const PARAMETER = 'show'

export function useShownDialog() {
  const search = useSearch()
  const [path, navigate] = useLocation()
  const query = new URLSearchParams(search)
  const shown = DIALOGS.find((dialog) => dialog === query.get(PARAMETER))
  query.delete(PARAMETER)
  const below = addressWith(path, query.toString())
  return {
    shown,
    /** The address of a dialog over this page. */
    addressOf: (dialog: PeopleDialog) =>
      addressWith(path, new URLSearchParams([...query, [PARAMETER, dialog]]).toString()),
    open: (dialog: PeopleDialog) =>
      navigate(addressWith(path, new URLSearchParams([...query, [PARAMETER, dialog]]).toString())),
    /** Goes back where the page without the dialog is one step behind, so that Back does not open the dialog again. */
    close: () => {
      const { navigation } = globalThis
      const index = navigation?.currentEntry?.index ?? 0
      const before = navigation?.entries()[index - 1]?.url
      if (before === new URL(below, location.origin).href) history.back()
      else navigate(below, { replace: true })
    },
  }
}
