import { Button } from '../parts/Button'
import { CopyButton } from '../parts/CopyButton'
import { Icon } from '../parts/Icon'
import { useSampleText } from './texts'

const KINDS = ['primary', 'secondary', 'quiet', 'danger'] as const

export function ButtonSamples() {
  const t = useSampleText()
  return (
    <>
      {KINDS.map((kind) => (
        <div key={kind} className="gallery-row">
          <Button kind={kind}>{t(`A ${kind} button`)}</Button>
          <Button kind={kind}>
            <Icon name="add" />
            {t('With an icon')}
          </Button>
          <Button kind={kind} isBusy>
            {t('Busy')}
          </Button>
          <Button kind={kind} disabled>
            {t('Disabled')}
          </Button>
          <Button kind={kind} aria-label={t(`Edit, ${kind}`)}>
            <Icon name="edit" />
          </Button>
        </div>
      ))}
      <CopyButton text="https://organiser.example/dav/" what={t('address')} />
    </>
  )
}
