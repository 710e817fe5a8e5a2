import type { ReactNode } from 'react'
import { I18nProvider } from 'react-aria-components'
import { useLanguage } from '../messages/language'
import { localeOf } from '../messages/messages'

/** English in a script that runs from right to left: React Aria has texts for `en`, and none for a pseudo-locale. */
const RIGHT_TO_LEFT = 'en-Arab'

/** Gives React Aria the language and the direction of the client, as it would take those of the browser. */
export function AriaLanguage({ children }: { readonly children: ReactNode }) {
  const { language } = useLanguage()
  const locale = language === 'ar-XB' ? RIGHT_TO_LEFT : localeOf(language)
  return <I18nProvider locale={locale}>{children}</I18nProvider>
}
