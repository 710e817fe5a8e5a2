import { type ComponentProps, type ReactNode, useRef, useState } from 'react'
import type { MenuAction } from './Menu'
import { opened } from './opened'

const Menu = opened(() => import('./Menu').then((module) => module.Menu))

interface MenuButtonProps extends Omit<ComponentProps<'button'>, 'className' | 'onClick' | 'children'> {
  readonly actions: readonly MenuAction[]
  readonly kind?: 'primary' | 'secondary' | 'quiet'
  /** A class of its place, instead of a button's look. */
  readonly look?: string
  readonly children: ReactNode
}

/** A button that opens a menu of actions. The code of the menu is fetched when somebody is about to open it. */
export function MenuButton({ actions, kind = 'secondary', look, children, ...rest }: MenuButtonProps) {
  const [isOpen, setOpen] = useState(false)
  const ref = useRef<HTMLButtonElement>(null)
  return (
    <>
      <button
        type="button"
        {...rest}
        ref={ref}
        className={look ?? `button button-${kind}`}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onPointerEnter={() => Menu.fetch()}
        onFocus={() => Menu.fetch()}
        onClick={() => setOpen(true)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          setOpen(true)
        }}
      >
        {children}
      </button>
      {isOpen && <Menu buttonRef={ref} actions={actions} onClose={() => setOpen(false)} />}
    </>
  )
}
