import { defineMessages, type Language, textsIn } from '../messages/messages'

const messages = defineMessages({
  en: {
    title: 'Title', name: 'Name', description: 'Description', location: 'Location', time: 'Time', due: 'Due date',
    priority: 'Priority', category: 'Category', completed: 'Done', status: 'Status', recurrence: 'Repeat',
    reminder: 'Reminder', calendar: 'Calendar', colour: 'Colour', notes: 'Notes', first: 'First name',
    last: 'Last name', nickname: 'Nickname', email: 'Email', phone: 'Phone', mobile: 'Mobile', company: 'Company',
    job: 'Job title', birthday: 'Birthday', address: 'Address', book: 'Address book', private: 'Private', list: 'List',
    tracked: 'Tracked', favourite: 'Favourite', default: 'Default', zone: 'Time zone', task: 'Belongs to',
    link: 'Linked connection', other: 'Another field',
  },
  de: {
    title: 'Titel', name: 'Name', description: 'Beschreibung', location: 'Ort', time: 'Zeit', due: 'Fällig am',
    priority: 'Priorität', category: 'Kategorie', completed: 'Erledigt', status: 'Status', recurrence: 'Wiederholung',
    reminder: 'Erinnerung', calendar: 'Kalender', colour: 'Farbe', notes: 'Notizen', first: 'Vorname',
    last: 'Nachname', nickname: 'Spitzname', email: 'E-Mail', phone: 'Telefon', mobile: 'Mobil', company: 'Firma',
    job: 'Position', birthday: 'Geburtstag', address: 'Anschrift', book: 'Adressbuch', private: 'Privat', list: 'Liste',
    tracked: 'Im Blick', favourite: 'Favorit', default: 'Standard', zone: 'Zeitzone', task: 'Gehört zu',
    link: 'Verknüpfter Kontakt', other: 'Ein anderes Feld',
  },
}) // prettier-ignore

type Key = keyof (typeof messages)['en']

const KEYS: Readonly<Record<string, Key>> = {
  title: 'title', name: 'name', description: 'description', location: 'location', all_day: 'time', due_date: 'due',
  priority: 'priority', category: 'category', completed: 'completed', status: 'status', recurrence: 'recurrence',
  recurrence_rule: 'recurrence', reminder_minutes: 'reminder', remind_at: 'time', calendar_id: 'calendar',
  color: 'colour', notes: 'notes', first_name: 'first', last_name: 'last', nickname: 'nickname', email: 'email',
  phone: 'phone', mobile: 'mobile', company: 'company', job_title: 'job', birthday: 'birthday', book_id: 'book',
  visibility: 'private', due_time: 'time', list_id: 'list', is_tracked: 'tracked', is_favourite: 'favourite',
  is_default: 'default', address: 'address', time_zone: 'zone', parent_task_id: 'task', linked_user_id: 'link',
} // prettier-ignore

/** What a person calls a field, or several that are taken together. */
export function fieldName(fields: readonly string[], language: Language): string {
  return textsIn(messages, language)[KEYS[fields[0] ?? ''] ?? 'other']
}
