// One file for what protects an account: its pages lead to each other.
export { SecurityPage } from './SecurityPage'
export { SessionsPage } from './SessionsPage'
export { TokensPage } from './TokensPage'
