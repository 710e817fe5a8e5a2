import { createContext, type ReactNode, useContext, useLayoutEffect, useMemo, useState } from 'react'
import { chooseLanguage, type Language, localeOf, type Messages, textsIn } from './messages'

const KEY = 'language'

interface Choice {
  readonly language: Language
  readonly choose: (language: Language) => void
}
const LanguageContext = createContext<Choice>({ language: 'en', choose: () => {} })

/** Gives the language to everything below it, and to the document. The choice belongs to this device. */
export function LanguageProvider({ children }: { readonly children: ReactNode }) {
  const [language, setLanguage] = useState(() =>
    chooseLanguage(localStorage.getItem(KEY), navigator.languages),
  )
  useLayoutEffect(() => {
    document.documentElement.lang = language
    document.documentElement.dir = language === 'ar-XB' ? 'rtl' : 'ltr'
  }, [language])
  const choice = useMemo(
    () => ({
      language,
      choose: (chosen: Language) => {
        localStorage.setItem(KEY, chosen)
        setLanguage(chosen)
      },
    }),
    [language],
  )
  return <LanguageContext value={choice}>{children}</LanguageContext>
}

export const useLanguage = () => useContext(LanguageContext)

/** The locale for `Intl`. */
export const useLocale = (): string => localeOf(useLanguage().language)

/** The texts of one place in the chosen language. */
export function useMessages<C extends Parameters<typeof textsIn>[0]['en']>(messages: Messages<C>) {
  return textsIn(messages, useLanguage().language)
}
