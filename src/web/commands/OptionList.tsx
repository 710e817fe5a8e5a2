import { useEffect, useRef } from 'react'
import { Keys } from '../app/Keys'
import { useMessages } from '../messages/language'
import { Icon } from '../parts/Icon'
import { type PaletteCommand, idOf } from './command'
import { commandTexts } from './texts'

interface OptionListProps {
  readonly id: string
  readonly options: readonly PaletteCommand[]
  readonly activeId: string | undefined
  readonly onChoose: (command: PaletteCommand) => void
  /** The pointer is on it. */
  readonly onPoint: (command: PaletteCommand) => void
}

/** The options below their headings; the focus stays in the field. */
export function OptionList({ id, options, activeId, onChoose, onPoint }: OptionListProps) {
  const m = useMessages(commandTexts)
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [activeId])
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label={m.title}
      className="commands-list"
      // Chromium would stop at a list that scrolls.
      tabIndex={-1}
    >
      {[...Map.groupBy(options, ({ group }) => group)].map(([group, own], place) => (
        <div key={group} role="group" aria-labelledby={`${id}-group-${place}`}>
          <div id={`${id}-group-${place}`} role="presentation" className="commands-group">
            {group}
          </div>
          {own.map((command) => (
            <div
              key={command.id}
              id={`${id}-${idOf(command)}`}
              role="option"
              aria-selected={idOf(command) === activeId}
              className="menu-item"
              data-focused={idOf(command) === activeId || undefined}
              // Without it the field would lose the focus.
              onPointerDown={(event) => event.preventDefault()}
              onPointerMove={() => onPoint(command)}
              onClick={() => onChoose(command)}
              onKeyDown={undefined}
            >
              <Icon name={command.icon} />
              <span className="commands-label">{command.label}</span>
              {command.note !== undefined && <span className="commands-note">{command.note}</span>}
              {command.keys !== undefined && (
                <span className="commands-keys" aria-hidden="true">
                  <Keys keys={command.keys} />
                </span>
              )}
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}
