import { navigate, useHistoryState, usePathname, useSearch } from 'wouter/use-browser-location'
import { randomKey } from '../api/random'
import { addressWith } from './addresses'

/** Names this page load: the history outlives a reload, and then the address has a page of its own. */
const PAGE_LOAD = randomKey()

/** What the history keeps for an address that was opened over a page. */
interface OverState {
  /** The address of the page below. */
  readonly below: string
  readonly pageLoad: string
}

const isOver = (state: unknown): state is OverState =>
  typeof state === 'object' && state !== null && 'pageLoad' in state && state.pageLoad === PAGE_LOAD

const belowIn = (state: unknown): string | undefined => (isOver(state) ? state.below : undefined)

const BESIDE = 'data-beside'

/** Whether what was opened last stands beside a part of the page, which is still there. */
export const isBeside = (): boolean => document.querySelector(`[${BESIDE}]`) !== null

/**
 * Opens an address as a dialog over the page, which stays; Back closes it, and a reload shows its own page (contract: web.over-page).
 * On a wide window it stands beside the element, if there is one.
 */
export function openOver(address: string, beside?: Element | null): void {
  for (const element of document.querySelectorAll(`[${BESIDE}]`)) element.removeAttribute(BESIDE)
  beside?.setAttribute(BESIDE, '')
  const below = belowIn(history.state) ?? addressWith(location.pathname, location.search.slice(1))
  navigate(address, { state: { below, pageLoad: PAGE_LOAD } satisfies OverState })
}

/** A second call, while the browser is still on its way back, does nothing. */
export function closeOver(): void {
  if (!isOver(history.state) || closing === history.state) return
  closing = history.state
  history.back()
}
let closing: OverState | undefined

/** The address that is open over the page; undefined when there is none. */
export function useOverAddress(): string | undefined {
  const [path, search] = [usePathname(), useSearch()]
  return belowIn(useHistoryState()) === undefined ? undefined : addressWith(path, search.slice(1))
}

function usePagePath(): [string, typeof navigate] {
  const path = usePathname()
  const below = belowIn(useHistoryState())
  return [below?.replace(/\?.*$/, '') ?? path, navigate]
}

function usePageSearch(): string {
  const search = useSearch()
  const below = belowIn(useHistoryState())
  return below === undefined ? search : (/\?.*$/.exec(below)?.[0] ?? '')
}

/** For the router: the address of the page, also while another one is open over it. */
export const usePageLocation = Object.assign(usePagePath, { searchHook: usePageSearch })
