import type { TokenView } from '../../features/identity/tokens/model'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import type { FormValues } from '../parts/use-form'

/** An app password opens the sync of phones, an access token the API; one with `mcp` is for an assistant. */
export type TokenKind = 'app' | 'assistant' | 'token'

type TokenScopes = TokenView['scopes']

export function kindOf({ scopes }: Pick<TokenView, 'scopes'>): TokenKind {
  if (scopes.includes('dav')) return 'app'
  return scopes.includes('mcp') ? 'assistant' : 'token'
}

export const AREAS = ['calendars', 'tasks', 'people'] as const
export const RIGHTS = ['write', 'read', 'none'] as const
export type AreaRight = (typeof RIGHTS)[number]

/** What an access token may beside the areas: each is a check box of its form. */
export const MORE_SCOPES = ['overview:read', 'notifications:write'] as const

/** The scopes that the values of the form ask for. */
export function scopesOf(kind: TokenKind, values: FormValues): TokenScopes {
  const areas = AREAS.flatMap((area) => {
    const right = values[area]
    return right === 'write' || right === 'read' ? [`${area}:${right}` as const] : []
  })
  if (kind === 'app') return [...areas, 'dav']
  if (kind === 'assistant') return [...areas, 'mcp']
  return [...areas, ...MORE_SCOPES.filter((scope) => values[scope] !== undefined)]
}

/** Whether the scopes make a token that opens anything (section 21 of the contract): `dav` and `mcp` alone do not. */
export const opensSomething = (scopes: TokenScopes): boolean => scopes.some((scope) => scope.includes(':'))

/** Days that a token lives, as a choice of the form; `never` is null for the service. */
export const LIVES = ['30', '90', '365', '1825', 'never'] as const
export type TokenLife = (typeof LIVES)[number]

export const daysOf = (life: string | undefined): number | null => (life === 'never' ? null : Number(life))

export const scopeMessages = defineMessages({
  en: {
    app: 'App password',
    assistant: 'Assistant',
    token: 'Access token',
    calendars: 'Calendars',
    tasks: 'Todos, reminders, projects',
    people: 'People',
    appTasks: 'Todos and reminders',
    appPeople: 'Contacts',
    write: 'Read and change',
    read: 'Read only',
    none: 'Not at all',
    'overview:read': 'See the overview, the search, the export and notifications',
    'notifications:write': 'Mark notifications as read, and delete them',
    area: (area: string, right: string) => `${area}: ${right}`,
  },
  de: {
    app: 'App-Passwort',
    assistant: 'Assistent',
    token: 'Zugriffstoken',
    calendars: 'Kalender',
    tasks: 'Aufgaben, Erinnerungen, Projekte',
    people: 'Personen',
    appTasks: 'Aufgaben und Erinnerungen',
    appPeople: 'Kontakte',
    write: 'Lesen und ändern',
    read: 'Nur lesen',
    none: 'Gar nicht',
    'overview:read': 'Übersicht, Suche, Export und Mitteilungen sehen',
    'notifications:write': 'Mitteilungen als gelesen kennzeichnen und löschen',
    area: (area, right) => `${area}: ${right}`,
  },
})

type ScopeWords = ReturnType<typeof useMessages<(typeof scopeMessages)['en']>>

/** What an area is called to the devices of an app password, or to programs. */
export function areaName(m: ScopeWords, kind: TokenKind, area: (typeof AREAS)[number]): string {
  if (kind !== 'app' || area === 'calendars') return m[area]
  return area === 'tasks' ? m.appTasks : m.appPeople
}

/** What a token opens, in words. */
export function useScopeWords(): (token: Pick<TokenView, 'scopes'>) => readonly string[] {
  const m = useMessages(scopeMessages)
  return (token) => {
    const kind = kindOf(token)
    const rights = AREAS.flatMap((area) => {
      const right = (['write', 'read'] as const).find((each) => token.scopes.includes(`${area}:${each}`))
      return right === undefined ? [] : [m.area(areaName(m, kind, area), m[right])]
    })
    return [
      ...rights,
      ...MORE_SCOPES.filter((scope) => token.scopes.includes(scope)).map((scope) => m[scope]),
    ]
  }
}
