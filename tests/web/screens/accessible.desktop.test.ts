import { testAccessibility } from './accessible'

testAccessibility('desktop')
