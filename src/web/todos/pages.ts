export { TodosPage } from './TodosPage'
