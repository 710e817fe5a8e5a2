import { useLocation } from 'wouter'
import { openOver } from '../app/over-page'
import { useMessages } from '../messages/language'
import { rememberSearch } from '../session/last-searches'
import { useSignedIn } from '../session/use-session'
import { addressOf, KINDS, kindNames, searchAddress, type SearchResult } from '../search/kinds'
import { isSearchable } from '../search/fold'
import { addressOfEvent, readNext } from '../search/next-occurrence'
import { useFound, useSettled } from '../search/use-found'
import { useZone } from '../time/use-zone'
import type { PaletteCommand } from './command'
import { commandTexts } from './texts'

const SETTLES_AFTER_MS = 150
const MOST_FOUND = 50
const EVERYTHING = [] as const

/** What the service finds as one types, each an option that opens it, and the way to the page of the search. */
export function useFoundCommands(typed: string) {
  const m = useMessages(commandTexts)
  const names = useMessages(kindNames)
  const zone = useZone()
  const { user } = useSignedIn()
  const [, navigate] = useLocation()
  const text = useSettled(typed.trim(), SETTLES_AFTER_MS)
  const { found, isCurrent, refusal } = useFound({ text, types: EVERYTHING, limit: MOST_FOUND })
  const isAsked = isSearchable(typed)
  const open = async (result: SearchResult) => {
    rememberSearch(user.id, typed.trim())
    if (result.type !== 'event') return navigate(addressOf(result))
    // Without the service the page of the event says what is wrong.
    openOver(await readNext(result.id, zone).then(addressOfEvent, () => addressOf(result)))
  }
  const results = (isAsked ? (found?.results ?? []) : []).map((result): PaletteCommand => {
    const { type, id, title } = result
    return {
      id: `${type} ${id}`,
      label: title,
      group: m.found,
      icon: KINDS.find((kind) => kind.type === type)?.icon ?? 'search',
      note: names[type],
      run: () => void open(result),
    }
  })
  const everywhere: PaletteCommand = {
    id: 'search',
    label: m.searchFor(typed.trim()),
    group: m.found,
    icon: 'search',
    run: () => navigate(searchAddress(typed.trim())),
  }
  return {
    options: isAsked ? [...results, everywhere] : [],
    isSearching: isAsked && !refusal && !(isCurrent && text === typed.trim()),
    hasFailed: isAsked && refusal !== undefined,
  }
}
