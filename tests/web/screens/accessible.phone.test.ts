import { testAccessibility } from './accessible'

testAccessibility('phone')
