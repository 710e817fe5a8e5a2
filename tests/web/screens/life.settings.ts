import type { Actor } from '../../support/harness'

/** Fills somebody's profile, deletes some of their things and changes others. Answers the names of all that. */
export async function leaveTraces(actor: Pick<Actor, 'request'>): Promise<readonly string[]> {
  const send = async (method: string, path: string, body?: object) => {
    const answer = await actor.request(method, `/api/${path}`, body ? { body } : {})
    if (answer.status >= 300) throw new Error(JSON.stringify(answer.body))
    return answer.body
  }
  const profile = {
    preferred_name: 'Ada L.',
    first_name: 'Augusta Ada',
    last_name: 'King-Noel',
    mobile: '+44 20 7946 0018',
    address: '12 St James’s Square\nLondon SW1Y 4JH',
    company: 'Analytical Engines',
    job_title: 'Enchantress of Numbers',
    share_preferred_name: true,
    share_mobile: true,
    weather_city: 'London',
    weather_lat: 51.50853,
    weather_lon: -0.12574,
    ntfy_server_url: 'https://ntfy.sh',
    ntfy_topic: 'ada-organiser',
    ntfy_enabled: true,
    quiet_from: '22:00',
    quiet_to: '07:00',
  }
  await send('PUT', 'settings', profile)
  const { id: calendar } = await send('POST', 'calendars', { name: 'Allotment' })
  for (const [title, day] of [
    ['Sow peas', '03'],
    ['Plant garlic', '04'],
  ])
    await send('POST', 'events', {
      title,
      calendar_id: calendar,
      all_day: true,
      start_date: `2026-04-${day}`,
      end_date: `2026-04-${day}`,
    })
  await send('DELETE', `calendars/${calendar}`)
  const { id: todo } = await send('POST', 'todos', { title: 'Return the ladder' })
  await send('PUT', `todos/${todo}`, { title: 'Return the long ladder to the neighbours across the road' })
  await send('DELETE', `todos/${todo}`)
  const { id: person } = await send('POST', 'people', { first_name: 'Charles', last_name: 'Babbage' })
  await send('DELETE', `people/${person}`)
  return [
    ...Object.values(profile).filter((value) => typeof value === 'string'),
    '12 St James’s Square, London SW1Y 4JH',
    'London SW1Y 4JH',
    'Allotment',
    'Sow peas',
    'Plant garlic',
    'Return the ladder',
    'Return the long ladder to the neighbours across the road',
    'Charles Babbage',
  ]
}
