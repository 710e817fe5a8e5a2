import type { AuditPage } from '../../features/administration/audit/model'
import type { ConfigChanges, ConfigView } from '../../features/administration/config/model'
import type { DashboardView } from '../../features/administration/dashboard/model'
import type {
  SessionsView,
  UserDetail,
  UsersPage,
  UserView,
} from '../../features/administration/directory/model'
import type {
  NewUserBody,
  TemporaryPasswordView,
  TokensRevokedView,
} from '../../features/administration/users/model'
import { call, pathOf, queryOf } from '../api/call'

export type User = typeof UserDetail.static
export type AuditEntry = (typeof AuditPage.static)['entries'][number]
export type { UserView }

const bodyOf = <T>({ body }: { readonly body: T }): T => body

export const readDashboard = () => call<typeof DashboardView.static>('GET', 'admin/dashboard').then(bodyOf)

/** The values of filters by their names on the wire; empty ones are left out. */
export type Filters = Readonly<Record<string, string>>

export const readUsers = (filters: Filters, cursor?: string) =>
  call<typeof UsersPage.static>('GET', `admin/users${queryOf({ ...filters, cursor })}`).then(bodyOf)

export const readUser = (id: number) => call<User>('GET', pathOf`admin/users/${id}`).then(bodyOf)

export const readSessions = (id: number) =>
  call<typeof SessionsView.static>('GET', pathOf`admin/users/${id}/sessions`).then(bodyOf)

export const readAudit = (filters: Filters, cursor?: string) =>
  call<AuditPage>('GET', `admin/audit-log${queryOf({ ...filters, cursor })}`).then(bodyOf)

export const readConfig = () => call<ConfigView>('GET', 'admin/config').then(bodyOf)
export const changeConfig = (body: ConfigChanges) =>
  call<ConfigView>('PUT', 'admin/config', { body }).then(bodyOf)

export const createUser = (body: NewUserBody) => call<UserView>('POST', 'admin/users', { body }).then(bodyOf)
export const changeRole = (id: number, role: User['role']) =>
  call<UserView>('PUT', pathOf`admin/users/${id}/role`, { body: { role } })
export const changeActive = (id: number, isActive: boolean) =>
  call<UserView>('PUT', pathOf`admin/users/${id}/active`, { body: { is_active: isActive } })
export const unlockUser = (id: number) => call<UserView>('POST', pathOf`admin/users/${id}/unlock`)
export const enforceMfa = (id: number, enforce: boolean) =>
  call<UserView>('PUT', pathOf`admin/users/${id}/enforce-mfa`, { body: { enforce } })
export const disableMfa = (id: number) => call<UserView>('POST', pathOf`admin/users/${id}/disable-mfa`)
export const disablePasswordless = (id: number) =>
  call<UserView>('PUT', pathOf`admin/users/${id}/passwordless`, { body: { enabled: false } })
export const resetPassword = (id: number) =>
  call<TemporaryPasswordView>('POST', pathOf`admin/users/${id}/reset-password`).then(bodyOf)
export const revokeSessions = (id: number) => call('DELETE', pathOf`admin/users/${id}/sessions`)
export const revokeTokens = (id: number) =>
  call<typeof TokensRevokedView.static>('DELETE', pathOf`admin/users/${id}/tokens`)
export const deleteUser = (id: number) => call('DELETE', pathOf`admin/users/${id}`)
