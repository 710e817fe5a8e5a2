import { testLanguage } from './languages'

testLanguage('en-XA')
