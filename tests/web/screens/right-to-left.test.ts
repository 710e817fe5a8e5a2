import { testLanguage } from './languages'

testLanguage('ar-XB')
