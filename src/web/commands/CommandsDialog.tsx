import { type KeyboardEvent, useId, useState } from 'react'
import { flushSync } from 'react-dom'
import type { CommandSources } from '../app/contents'
import { useMessages } from '../messages/language'
import { Dialog } from '../parts/Dialog'
import { Status } from '../parts/Status'
import { MAX_LENGTH } from '../search/use-found'
import { type PaletteCommand, idOf, matching, MOST_OPTIONS } from './command'
import { OptionList } from './OptionList'
import { commandTexts } from './texts'
import { useCommands } from './use-commands'
import { useFoundCommands } from './use-found-commands'

/** Every command of the client, and everything that a search finds, by typing (contract: web.palette). */
export function CommandsDialog({ onClose, ...sources }: CommandSources & { readonly onClose: () => void }) {
  const m = useMessages(commandTexts)
  const [typed, setTyped] = useState('')
  const commands = useCommands(sources)
  const found = useFoundCommands(typed)
  const chosen =
    typed.trim() === '' ? commands : matching(commands, typed).map((each) => ({ ...each, group: m.commands }))
  const options = [...chosen, ...found.options].slice(0, MOST_OPTIONS)
  const run = (command: PaletteCommand) => {
    // The focus is back where it was before the command does anything with it.
    flushSync(onClose)
    command.run()
  }
  const { active, activeId, move, point } = useActive(options, typed)
  const id = useId()
  const onKeyDown = keysOf({ move, onEnter: () => active && run(active), onClose })
  return (
    <Dialog title={m.title} onClose={onClose}>
      <div className="commands">
        <input
          role="combobox"
          className="input"
          data-autofocus
          aria-label={m.field}
          placeholder={m.field}
          aria-autocomplete="list"
          aria-expanded={options.length > 0}
          aria-controls={options.length > 0 ? id : undefined}
          aria-activedescendant={activeId === undefined ? undefined : `${id}-${activeId}`}
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="go"
          maxLength={MAX_LENGTH}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          onKeyDown={onKeyDown}
        />
        {options.length > 0 && (
          <OptionList id={id} options={options} activeId={activeId} onChoose={run} onPoint={point} />
        )}
        <Status isVisible>{noteOf(m, { ...found, count: options.length })}</Status>
      </div>
    </Dialog>
  )
}

interface PaletteKeys {
  readonly move: (steps: number) => void
  readonly onEnter: () => void
  readonly onClose: () => void
}

const keysOf =
  ({ move, onEnter, onClose }: PaletteKeys) =>
  (event: KeyboardEvent): void => {
    const actions: Readonly<Record<string, () => void>> = {
      ArrowDown: () => move(1),
      ArrowUp: () => move(-1),
      PageDown: () => move(PAGE),
      PageUp: () => move(-PAGE),
      Enter: onEnter,
    }
    const isAgain = event.key === 'k' && (event.ctrlKey || event.metaKey)
    const act = isAgain ? onClose : actions[event.key]
    if (!act || event.nativeEvent.isComposing) return
    event.preventDefault()
    act()
  }
const PAGE = 8

interface Noted {
  readonly isSearching: boolean
  readonly hasFailed: boolean
  readonly count: number
}

function noteOf(m: (typeof commandTexts)['de'], { isSearching, hasFailed, count }: Noted): string {
  if (hasFailed) return m.failed
  if (isSearching) return m.searching
  return count === 0 ? m.none : m.count(count)
}

/** The option that Enter runs: the first one until somebody moves on, and it stays when others come in before it. */
function useActive(options: readonly PaletteCommand[], typed: string) {
  const [moved, setMoved] = useState<{ readonly typed: string; readonly id: string }>()
  const place = moved?.typed === typed ? options.findIndex(({ id }) => id === moved.id) : 0
  const at = Math.max(place, 0)
  const active = options[at]
  const point = (command: PaletteCommand) => setMoved({ typed, id: command.id })
  const move = (steps: number) => {
    const isRound = Math.abs(steps) === 1
    const wanted = at + steps
    const next = isRound
      ? (wanted + options.length) % options.length
      : Math.min(Math.max(wanted, 0), options.length - 1)
    const command = options[next]
    if (command) point(command)
  }
  return { active, activeId: active && idOf(active), move, point }
}
