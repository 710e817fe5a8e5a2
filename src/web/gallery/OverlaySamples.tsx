import { useState } from 'react'
import { Button } from '../parts/Button'
import { Combobox } from '../parts/Combobox'
import { Dialog } from '../parts/Dialog'
import { Field } from '../parts/Field'
import type { MenuAction } from '../parts/Menu'
import { MenuButton } from '../parts/MenuButton'
import { announce } from '../parts/messages-store'
import { Status } from '../parts/Status'
import { useSampleText } from './texts'

export function OverlaySamples() {
  const t = useSampleText()
  const [done, setDone] = useState('')
  const actions = useSampleActions(setDone)
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="gallery-row">
      <Button onClick={() => setOpen(true)}>{t('Open a dialog')}</Button>
      <MenuButton actions={actions}>{t('Open a menu')}</MenuButton>
      <Button onClick={() => announce({ text: t('Saved.') })}>{t('Say something')}</Button>
      <Button
        onClick={() => announce({ text: t('Moved Lunch to Tuesday.'), undo: () => setDone(t('Undone')) })}
      >
        {t('Do something')}
      </Button>
      <Button onClick={() => announce({ text: t('Something went wrong.'), isError: true })}>
        {t('Fail')}
      </Button>
      <Status isVisible>{done}</Status>
      {isOpen && <SampleDialog actions={actions} onClose={() => setOpen(false)} />}
    </div>
  )
}

function useSampleActions(setDone: (text: string) => void): readonly MenuAction[] {
  const t = useSampleText()
  const action = (id: string, label: string) => ({ id, label, run: () => setDone(label) })
  return [
    { ...action('edit', t('Edit')), icon: 'edit', keys: 'E' },
    { ...action('move', t('Move to…')), icon: 'calendar' },
    { ...action('copy', t('Copy')), icon: 'copy', isDisabled: true },
    { ...action('delete', t('Delete')), icon: 'delete', isDangerous: true },
  ]
}

interface SampleDialogProps {
  readonly actions: readonly MenuAction[]
  readonly onClose: () => void
}

const OWNERS = ['Ada', 'Grace', 'Linus'].map((name) => ({ value: name, label: name }))

function SampleDialog({ actions, onClose }: SampleDialogProps) {
  const [owner, setOwner] = useState('Ada')
  const t = useSampleText()
  const footer = (
    <>
      <Button onClick={onClose}>{t('Cancel')}</Button>
      <Button kind="primary" onClick={() => announce({ text: t('Saved in the dialog.') })}>
        {t('Save')}
      </Button>
    </>
  )
  return (
    <Dialog title={t('Rename the calendar')} onClose={onClose} footer={footer}>
      <Field label={t('Name')} defaultValue={t('Home')} />
      <Combobox label={t('Owner')} options={OWNERS} value={owner} onChange={setOwner} />
      <MenuButton actions={actions}>{t('More')}</MenuButton>
    </Dialog>
  )
}
