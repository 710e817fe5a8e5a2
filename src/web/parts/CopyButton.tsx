import { useState } from 'react'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from './Button'
import { Icon } from './Icon'
import { Status } from './Status'

const messages = defineMessages({
  en: {
    copy: (what: string) => `Copy ${what}`,
    copied: 'Copied',
    failed: 'Copying did not work. Select the text instead.',
  },
  de: {
    copy: (what: string) => `${what} kopieren`,
    copied: 'Kopiert',
    failed: 'Kopieren hat nicht geklappt. Bitte den Text markieren.',
  },
})

/** Copies a text that somebody types elsewhere, such as an address. `what` names it: “address”. */
export function CopyButton({ text, what }: { readonly text: string; readonly what: string }) {
  const m = useMessages(messages)
  const [outcome, setOutcome] = useState<'copied' | 'failed'>()
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setOutcome('copied'),
      () => setOutcome('failed'),
    )
  return (
    <span className="copy">
      <Button kind="quiet" aria-label={m.copy(what)} title={m.copy(what)} onClick={() => void copy()}>
        <Icon name={outcome === 'copied' ? 'check' : 'copy'} />
      </Button>
      <Status isVisible={outcome !== undefined}>{outcome && m[outcome]}</Status>
    </span>
  )
}
