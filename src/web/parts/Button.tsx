import type { ComponentProps } from 'react'

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'className'> {
  /** `primary` once on a page or dialog; `quiet` has no border; `danger` destroys. */
  readonly kind?: 'primary' | 'secondary' | 'quiet' | 'danger'
  /** Shows that the action runs. The button stays in place and keeps the focus; a second press does nothing. */
  readonly isBusy?: boolean
}

/** A native button. It submits no form unless its `type` says so. */
export function Button({ kind = 'secondary', isBusy = false, onClick, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={`button button-${kind}`}
      aria-disabled={isBusy || undefined}
      data-busy={isBusy || undefined}
      onClick={(event) => {
        if (isBusy) event.preventDefault()
        else onClick?.(event)
      }}
    >
      {children}
    </button>
  )
}
