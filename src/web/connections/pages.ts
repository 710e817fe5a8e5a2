export { ConnectionPage } from './ConnectionPage'
export { ConnectionsPage } from './ConnectionsPage'
