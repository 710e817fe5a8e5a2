import { type ReactNode, useEffect } from 'react'
import { moveBetweenRegions } from '../app/regions'
import { Icon, type IconName } from '../parts/Icon'
import { ICON_PATHS } from '../parts/icon-paths'
import { MessagesRegion } from '../parts/MessagesRegion'
import { PageHeading } from '../parts/PageHeading'
import { ButtonSamples } from './ButtonSamples'
import { CalendarColourSamples } from './CalendarColourSamples'
import { FieldSamples } from './FieldSamples'
import { OverlaySamples } from './OverlaySamples'
import { StateSamples } from './StateSamples'
import { useSampleText } from './texts'

const ICONS = Object.keys(ICON_PATHS) as IconName[]

/** Every part in every state. */
export function Gallery() {
  const t = useSampleText()
  useEffect(() => {
    document.addEventListener('keydown', moveBetweenRegions)
    return () => document.removeEventListener('keydown', moveBetweenRegions)
  }, [])
  return (
    <>
      <main className="gallery" data-region>
        <PageHeading>{t('Gallery of parts')}</PageHeading>
        <Section title={t('Buttons')}>
          <ButtonSamples />
        </Section>
        <Section title={t('Fields and choices')}>
          <FieldSamples />
        </Section>
        <Section title={t('Dialogs, menus, messages')}>
          <OverlaySamples />
        </Section>
        <Section title={t('States of a list')}>
          <StateSamples />
        </Section>
        <Section title={t('Colours of calendars')}>
          <CalendarColourSamples />
        </Section>
        <Section title={t('Icons')}>
          <div className="gallery-row">
            {ICONS.map((name) => (
              <span key={name} title={name}>
                <Icon name={name} />
              </span>
            ))}
          </div>
        </Section>
      </main>
      <MessagesRegion />
    </>
  )
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="gallery-section" aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}
