export { NotificationsPage } from './NotificationsPage'
