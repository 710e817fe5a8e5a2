import {
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { FieldBox, type FieldTexts } from './FieldBox'
import { Icon } from './Icon'
import type { Option } from './Select'

interface SuggestFieldProps extends FieldTexts {
  readonly value: string
  /** What is offered; not filtered here, and whatever is typed counts too. */
  readonly options: readonly Option[]
  /** The value that the list begins at when it opens. */
  readonly nearest?: string | undefined
  readonly onChange: (text: string) => void
  /** By default the value of an option becomes the text. */
  readonly onChoose?: (value: string) => void
  readonly onBlur?: () => void
  readonly placeholder?: string
  readonly name?: string
}

/**
 * A text field that offers values in a list (ARIA Authoring Practices, combobox with a list that does not complete). The list
 * is made when it opens, so that a form of many such fields stands at once.
 */
export function SuggestField(props: SuggestFieldProps) {
  const { label, hint, problem, value, placeholder, name, onChange, onBlur } = props
  const list = useSuggestions(props)
  const id = useId()
  return (
    <FieldBox label={label} hint={hint} problem={problem}>
      {(ties) => (
        <span className="select" ref={list.anchor}>
          <input
            {...ties}
            className="input"
            role="combobox"
            aria-autocomplete="list"
            aria-expanded={list.isOpen}
            aria-controls={list.isOpen ? id : undefined}
            aria-activedescendant={list.active === undefined ? undefined : `${id}-${list.active}`}
            autoComplete="off"
            name={name}
            value={value}
            placeholder={placeholder}
            onChange={(event) => {
              onChange(event.target.value)
              list.show(undefined)
            }}
            onClick={() => list.open()}
            onKeyDown={list.onKeyDown}
            onBlur={() => {
              list.close()
              onBlur?.()
            }}
          />
          <Icon name="chevron-down" />
          {list.isOpen && (
            <Suggestions
              id={id}
              label={label}
              options={props.options}
              active={list.active}
              anchor={list.anchor}
              onChoose={list.choose}
            />
          )}
        </span>
      )}
    </FieldBox>
  )
}

function useSuggestions({ value, options, nearest, onChange, onChoose = onChange }: SuggestFieldProps) {
  const anchor = useRef<HTMLSpanElement>(null)
  // Options that come later, such as those that are still read, open the list then.
  const [isWanted, setWanted] = useState(false)
  const isOpen = isWanted && options.length > 0
  const [active, setActive] = useState<number>()
  const place = options.findIndex((option) => option.value === (nearest ?? value))
  const show = (at: number | undefined) => {
    setWanted(true)
    setActive(at)
  }
  const open = () => show(place < 0 ? undefined : place)
  const close = () => {
    setWanted(false)
    setActive(undefined)
  }
  const choose = (option: Option) => {
    onChoose(option.value)
    close()
  }
  const move = (steps: number) => {
    if (!isOpen) return open()
    const from = active ?? (steps > 0 ? place - 1 : place + 1)
    setActive(Math.min(Math.max(from + steps, 0), options.length - 1))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const chosen = active === undefined || event.ctrlKey || event.metaKey ? undefined : options[active]
    const actions: Readonly<Record<string, (() => void) | false | undefined>> = {
      ArrowDown: () => move(1),
      ArrowUp: () => move(-1),
      Escape: isOpen && close,
      Enter: isOpen && chosen && (() => choose(chosen)),
    }
    const act = actions[event.key]
    if (!act) return
    act()
    // An open list takes the keys that would close the dialog or send the form.
    event.preventDefault()
    event.stopPropagation()
  }
  return { anchor, isOpen, active, show, open, close, choose, onKeyDown }
}

interface SuggestionsProps {
  readonly id: string
  readonly label: string
  readonly options: readonly Option[]
  readonly active: number | undefined
  readonly anchor: RefObject<HTMLElement | null>
  readonly onChoose: (option: Option) => void
}

/** Stands in the top layer, so that no dialog cuts it. */
function Suggestions({ id, label, options, active, anchor, onChoose }: SuggestionsProps) {
  const ref = useRef<HTMLUListElement>(null)
  useLayoutEffect(() => {
    const [list, field] = [ref.current, anchor.current]
    if (!list || !field) return
    const { left, top, bottom, width } = field.getBoundingClientRect()
    const isBelow = innerHeight - bottom > 200 || bottom < innerHeight / 2
    list.style.setProperty('--left', `${left}px`)
    list.style.setProperty('--width', `${width}px`)
    list.style.setProperty(isBelow ? '--top' : '--bottom', `${isBelow ? bottom : innerHeight - top}px`)
    list.showPopover()
    // What comes before and what comes after the value are as near.
    list.querySelector('[data-focused]')?.scrollIntoView({ block: 'center' })
  }, [anchor])
  useEffect(() => {
    const item = active === undefined ? undefined : ref.current?.children[active]
    item?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    <ul
      ref={ref}
      id={id}
      popover="manual"
      // Chromium would stop at a list that scrolls, on the way to the next field.
      tabIndex={-1}
      role="listbox"
      aria-label={label}
      className="popover menu suggestions"
    >
      {options.map((option, index) => (
        <li
          key={option.value}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === active}
          className="menu-item"
          data-focused={index === active || undefined}
          // Without it the field would lose the focus before it is chosen.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onChoose(option)}
          onKeyDown={undefined}
        >
          {option.label}
        </li>
      ))}
    </ul>
  )
}
