import type { Actor } from '../../support/harness'

/** Reminders of each kind; none is due before the evening, so that none is told on every screen. */
export async function fillReminders(actor: Actor) {
  const remind = async (title: string, more: object): Promise<number> =>
    (await actor.request('POST', '/api/reminders', { body: { title, time_zone: 'Europe/Berlin', ...more } }))
      .body.id
  const reminder = await remind('Call the dentist', {
    remind_at: '2026-03-04T18:00',
    description: 'Ask for Friday',
  })
  await remind('Put out the bins', { remind_at: '2026-03-04T18:10', recurrence_rule: 'FREQ=WEEKLY;BYDAY=WE' })
  await remind('Book the ferry', { remind_at: '2026-03-06T09:00' })
  const later = await remind('Water the ferns', { remind_at: '2026-03-05T20:00' })
  await actor.request('PUT', `/api/reminders/${later}/snooze`, { body: { minutes: 2000 } })
  const done = await remind('Return the books', { remind_at: '2026-03-01T09:00' })
  await actor.request('PUT', `/api/reminders/${done}/dismiss`)
  await remind('Old habit', { remind_at: '2026-03-02T09:00', is_active: false })
  await remind('Learn to juggle', {})
  return {
    reminder,
    names: [
      'Call the dentist', 'Ask for Friday', 'Put out the bins', 'Book the ferry', 'Water the ferns', 'Return the books',
      'Old habit', 'Learn to juggle', "Alan Turing's birthday",
    ], // prettier-ignore
  }
}
