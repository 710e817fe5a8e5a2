import { type RefObject, useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { Menu as AriaMenu, MenuItem, Popover, Text } from 'react-aria-components'
import { AriaLanguage } from './AriaLanguage'
import { Icon, type IconName } from './Icon'
import { topmostDialog } from './open-dialogs'

/** One action of a menu. */
export interface MenuAction {
  readonly id: string
  readonly label: string
  readonly icon?: IconName
  /** The key that does the same, shown at the end of the line. */
  readonly keys?: string
  /** Destroys something. */
  readonly isDangerous?: boolean
  readonly isDisabled?: boolean
  readonly run: () => void
}

interface MenuProps {
  readonly buttonRef: RefObject<HTMLButtonElement | null>
  readonly actions: readonly MenuAction[]
  readonly onClose: () => void
}

/** The menu that a `MenuButton` opens: arrows, Home, End and first letters move, Escape closes. */
export function Menu({ buttonRef, actions, onClose }: MenuProps) {
  const dialog = useSyncExternalStore(topmostDialog.subscribe, topmostDialog.read)
  const menu = useFirstItemFocused()
  const name = useMemo(() => {
    const button = buttonRef.current
    return button?.getAttribute('aria-label') ?? button?.textContent ?? ''
  }, [buttonRef])
  return (
    <AriaLanguage>
      <Popover
        triggerRef={buttonRef}
        aria-label={name}
        isOpen
        onOpenChange={(isOpen) => !isOpen && onClose()}
        placement="bottom end"
        className="popover"
        {...(dialog && { UNSTABLE_portalContainer: dialog })}
      >
        <AriaMenu
          ref={menu}
          className="menu"
          aria-label={name}
          autoFocus="first"
          onClose={onClose}
          onAction={(id) => actions.find((action) => action.id === id)?.run()}
        >
          {actions.map((action) => (
            <Item key={action.id} action={action} />
          ))}
        </AriaMenu>
      </Popover>
    </AriaLanguage>
  )
}

/** React Aria gives the focus to the menu itself where it knows its items only after it has opened: Enter would do nothing. */
function useFirstItemFocused() {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    let frame = requestAnimationFrame(function look() {
      const menu = ref.current
      const item = menu?.querySelector<HTMLElement>('[role="menuitem"]:not([aria-disabled="true"])')
      if (document.activeElement === menu && item) return item.focus()
      if (!menu?.contains(document.activeElement)) frame = requestAnimationFrame(look)
    })
    return () => cancelAnimationFrame(frame)
  }, [])
  return ref
}

function Item({ action }: { readonly action: MenuAction }) {
  const { id, label, icon, keys, isDangerous = false, isDisabled = false } = action
  return (
    <MenuItem
      id={id}
      textValue={label}
      isDisabled={isDisabled}
      className={`menu-item${isDangerous ? ' menu-item-danger' : ''}`}
    >
      {icon !== undefined && <Icon name={icon} />}
      <Text slot="label">{label}</Text>
      {keys !== undefined && <span className="menu-keys" data-keys={keys} aria-hidden="true" />}
    </MenuItem>
  )
}
