/** The modal dialogs that are open, the topmost last. What is outside the topmost can be neither read nor reached. */
let open: readonly HTMLDialogElement[] = []
const listeners = new Set<() => void>()

function change(next: readonly HTMLDialogElement[]): void {
  open = next
  for (const listener of listeners) listener()
}

/** For `useSyncExternalStore`: what must stay reachable, such as messages and menus, stands inside the topmost dialog. */
export const topmostDialog = {
  read: (): HTMLDialogElement | undefined => open.at(-1),
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

export const noteOpened = (dialog: HTMLDialogElement): void => change([...open, dialog])
export const noteClosed = (dialog: HTMLDialogElement): void => change(open.filter((each) => each !== dialog))

/** Whether a dialog is open as far as its owner knows: not any more, once its owner closed it. */
export const isOpen = (dialog: HTMLDialogElement): boolean => open.includes(dialog)
