import { defineMessages } from '../messages/messages'

/** What people call the fields of a profile. */
export const fieldTexts = defineMessages({
  en: {
    preferred_name: 'Preferred name',
    first_name: 'First name',
    last_name: 'Last name',
    email: 'Email',
    phone: 'Phone',
    mobile: 'Mobile',
    birthday: 'Birthday',
    address: 'Address',
    company: 'Company',
    job_title: 'Job title',
  },
  de: {
    preferred_name: 'Rufname',
    first_name: 'Vorname',
    last_name: 'Nachname',
    email: 'E-Mail',
    phone: 'Telefon',
    mobile: 'Mobil',
    birthday: 'Geburtstag',
    address: 'Adresse',
    company: 'Firma',
    job_title: 'Position',
  },
})
