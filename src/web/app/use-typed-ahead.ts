import { useEffect, useRef } from 'react'

/**
 * What somebody types while a dialog that was asked for is still on its way goes into the field that has the focus once it is
 * there. Escape gives the dialog up.
 */
export function useTypedAhead(isAwaited: boolean, giveUp: () => void): void {
  const typed = useRef('')
  useEffect(() => {
    if (!isAwaited) {
      hand(typed.current)
      typed.current = ''
      return
    }
    const hear = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey } = event
      if (ctrlKey || metaKey || altKey) return
      if (key === 'Escape') giveUp()
      else if (key === 'Backspace') typed.current = typed.current.slice(0, -1)
      else if (key.length === 1) typed.current += key
      else return
      // These keys are for the dialog, not for the page that still has the focus.
      event.preventDefault()
      event.stopPropagation()
    }
    document.addEventListener('keydown', hear, { capture: true })
    return () => document.removeEventListener('keydown', hear, { capture: true })
  }, [isAwaited, giveUp])
}

/** Puts the text where the focus is, as if it were typed there. */
function hand(text: string): void {
  const field = document.activeElement
  if (text === '' || !(field instanceof HTMLInputElement) || field.closest('dialog') === null) return
  field.setRangeText(text, field.value.length, field.value.length, 'end')
  field.dispatchEvent(new InputEvent('input', { bubbles: true, data: text, inputType: 'insertText' }))
}
