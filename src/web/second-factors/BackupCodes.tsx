import { useEffect, useRef } from 'react'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { CopyButton } from '../parts/CopyButton'
import { Field } from '../parts/Field'
import { FormAlert, SubmitButton } from '../parts/Form'
import { Icon } from '../parts/Icon'
import { useForm } from '../parts/use-form'

const messages = defineMessages({
  en: {
    title: 'Your backup codes',
    why: 'Each of these signs you in once when the authenticator is lost. They are shown only now.',
    codes: 'the codes',
    download: 'Download',
    print: 'Print',
    field: 'Backup code',
    hint: 'Type one of them, to be sure that you have them.',
    wrong: 'This is none of the ten codes.',
    saved: 'I have saved these codes',
    file: 'organiser-backup-codes.txt',
  },
  de: {
    title: 'Ersatzcodes',
    why: 'Jeder dieser Codes gilt einmal, wenn die Authentifizierungs-App verloren ist. Sie werden nur jetzt gezeigt.',
    codes: 'Codes',
    download: 'Herunterladen',
    print: 'Drucken',
    field: 'Ersatzcode',
    hint: 'Einen davon eingeben, um sicherzugehen, dass sie gesichert sind.',
    wrong: 'Das ist keiner der zehn Codes.',
    saved: 'Diese Codes sind gesichert',
    file: 'organiser-ersatzcodes.txt',
  },
})

const plain = (code: string): string => code.replaceAll(/[^a-z0-9]/gi, '').toUpperCase()

function download(codes: readonly string[], name: string): void {
  const address = URL.createObjectURL(new Blob([`${codes.join('\n')}\n`], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}

interface BackupCodesProps {
  readonly codes: readonly string[]
  readonly onDone: () => Promise<void> | void
}

/** The codes that the service shows once, until the user types one of them (contract: web.backup-codes). */
export function BackupCodes({ codes, onDone }: BackupCodesProps) {
  const m = useMessages(messages)
  const heading = useRef<HTMLHeadingElement>(null)
  const form = useForm(
    async () => onDone(),
    ({ backup_code: typed = '' }): Readonly<Record<string, string>> =>
      codes.some((code) => plain(code) === plain(typed)) ? {} : { backup_code: m.wrong },
  )
  useEffect(() => {
    heading.current?.focus()
    // A reload would lose the codes for ever.
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [])
  return (
    <form {...form.props} className="enter-form">
      <h2 ref={heading} tabIndex={-1}>
        {m.title}
      </h2>
      <p>{m.why}</p>
      <ol className="backup-codes" translate="no">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className="backup-actions">
        <CopyButton text={codes.join('\n')} what={m.codes} />
        <Button onClick={() => download(codes, m.file)}>
          <Icon name="download" />
          {m.download}
        </Button>
        <Button onClick={() => print()}>{m.print}</Button>
      </div>
      <FormAlert form={form} />
      <Field
        label={m.field}
        hint={m.hint}
        name="backup_code"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        required
        problem={form.problems['backup_code']}
      />
      <SubmitButton form={form}>{m.saved}</SubmitButton>
    </form>
  )
}
