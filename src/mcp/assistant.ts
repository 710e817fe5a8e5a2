import type { CurrentSession } from '../access/sessions/service'
import { zoneOf } from '../access/reader/service'
import type { Deps } from '../deps'
import { allows, type Area } from '../lib/scopes'

/** Who calls a tool: a user, through a program with an access token. */
export interface Assistant {
  readonly deps: Deps
  readonly session: CurrentSession
}

/** The zone in which an assistant is told times. */
export const zoneFor = ({ deps, session }: Assistant): string => zoneOf(deps.config, session.owner)

export const mayWrite = ({ token }: CurrentSession, area: Area): boolean =>
  token === undefined || allows(token.scopes, `${area}:write`)
