import { useLocation } from 'wouter'
import { ADMIN_PAGES, adminMessages } from '../admin/admin-pages'
import { calendarAddress, PATTERNS, VIEWS } from '../app/addresses'
import type { CommandSources } from '../app/contents'
import { openDialog } from '../app/opened-dialog'
import { placeNames } from '../app/place-names'
import { isSingleCharacter, useAllShortcuts } from '../app/shortcuts'
import { useMessages } from '../messages/language'
import type { IconName } from '../parts/Icon'
import { changeDeviceSetting, useDeviceSetting } from '../settings/device-settings'
import { SETTINGS_PAGES, settingsMessages } from '../settings/settings-pages'
import { useToday } from '../time/use-now'
import type { PaletteCommand } from './command'
import { commandTexts } from './texts'

/** Keys that open the palette itself. */
const OPENING = ['/', 'mod+k']

/** Everything that can be done from anywhere, and what else the page has keys for. */
export function useCommands(sources: CommandSources): readonly PaletteCommand[] {
  const shortcuts = useAllShortcuts()
  const goTo = useGoToCommands(sources)
  const views = useViewCommands()
  const account = useAccountCommands(sources)
  const own = [...useAddCommands(sources), ...goTo, ...views, ...account]
  const isOff = useDeviceSetting('single-letter-shortcuts') === 'off'
  const shown = (keys: string) => (isOff && isSingleCharacter(keys) ? undefined : keys)
  const held = new Map(shortcuts.map((shortcut) => [shortcut.keys, shortcut]))
  const taken = new Set([...OPENING, ...own.map(({ keys }) => keys)])
  const others = shortcuts
    .filter(({ keys }) => !taken.has(keys))
    .flatMap(({ keys, run, ...rest }) => (run ? [{ keys, run, ...rest }] : []))
    .map(({ keys, ...rest }) => ({
      ...rest,
      id: `key ${keys}`,
      icon: 'keyboard' as const,
      keys: shown(keys),
    }))
  // A key shows only where it holds, and there it does what it does on this page.
  const here = own.map((command) => {
    const shortcut = held.get(command.keys ?? '')
    return shortcut?.run
      ? { ...command, keys: shown(shortcut.keys), run: shortcut.run }
      : { ...command, keys: undefined }
  })
  return [...here, ...others]
}

function useAddCommands({ contents }: CommandSources): readonly PaletteCommand[] {
  const m = useMessages(commandTexts)
  return [
    ...contents.creations.map(({ name, icon, run }) => ({
      id: `new ${name}`,
      label: m[name],
      group: m.add,
      icon,
      keys: name === 'event' ? 'c' : undefined,
      run,
    })),
    {
      id: 'quick add',
      label: m.quickAdd,
      group: m.add,
      icon: 'add',
      keys: 'q',
      run: () => openDialog({ is: 'quick-add' }),
    },
  ]
}

function useGoToCommands({ contents, places }: CommandSources): readonly PaletteCommand[] {
  const m = useMessages(commandTexts)
  const names = useMessages(placeNames)
  const pages = useMessages(settingsMessages)
  const adminPages = useMessages(adminMessages)
  const [, navigate] = useLocation()
  const go = (path: string, label: string, group: string, icon: IconName): PaletteCommand => ({
    id: `go ${path}`,
    label,
    group,
    icon,
    run: () => navigate(path),
  })
  const has = (path: string) => contents.pages.some(({ pattern }) => pattern === path)
  return [
    ...places.map(({ name, path, icon, key }) => ({
      ...go(path, names[name], m.goTo, icon),
      keys: key === undefined ? undefined : `g ${key}`,
    })),
    ...(has(PATTERNS.search) ? [go(PATTERNS.search, m.search, m.goTo, 'search')] : []),
    ...(has(PATTERNS.trash) ? [go(PATTERNS.trash, m.trash, m.goTo, 'delete')] : []),
    ...SETTINGS_PAGES.filter(({ path }) => has(path)).map(({ name, path }) =>
      go(path, m.settingsPage(pages[name]), m.settings, 'settings'),
    ),
    // The place leads to the first of them.
    ...(places.some(({ name }) => name === 'administration') ? ADMIN_PAGES.slice(1) : []).map(
      ({ name, path }) => go(path, adminPages[name], m.administration, 'administration'),
    ),
  ]
}

/** The page of the calendar has keys for them, which keep its date. */
function useViewCommands(): readonly PaletteCommand[] {
  const m = useMessages(commandTexts)
  const today = useToday()
  const [, navigate] = useLocation()
  return VIEWS.map((view) => ({
    id: `view ${view}`,
    label: m[view],
    group: m.views,
    icon: 'calendar',
    keys: view.charAt(0),
    run: () => navigate(calendarAddress(view, today)),
  }))
}

/** The actions of the menu "Account", with the keys that hold for them. */
const ACCOUNT_KEYS: Readonly<Record<string, string>> = { lock: 'g l', shortcuts: '?' }

function useAccountCommands({ accountActions }: CommandSources): readonly PaletteCommand[] {
  const m = useMessages(commandTexts)
  return [
    ...(['system', 'light', 'dark'] as const).map((theme) => ({
      id: `theme ${theme}`,
      label: m[theme],
      group: m.theme,
      icon: theme === 'dark' ? ('dark' as const) : ('appearance' as const),
      run: () => changeDeviceSetting('theme', theme),
    })),
    ...accountActions
      // These two are among the places.
      .filter(({ id }) => id !== 'appearance' && id !== 'trash')
      .map(({ id, label, icon = 'account', run }) => ({
        id: `account ${id}`,
        label,
        group: m.account,
        icon,
        keys: ACCOUNT_KEYS[id],
        run,
      })),
  ]
}
