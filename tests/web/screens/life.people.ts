import type { Actor } from '../../support/harness'

/** Some people as address books have them: with much, with little, with long names and without a year of birth. */
const PEOPLE = [
  { first_name: 'Ada', last_name: 'Lovelace', nickname: 'Enchantress', email: 'ada@example.org', mobile: '+44 7700 900001', phone: '+44 20 7946 0001', company: 'Analytical Engines', job_title: 'Programmer', birthday: '1985-03-10', address: '12 St James’s Square\nLondon', category: 'Friends', notes: 'Likes Bernoulli numbers.\nPlays the harp.', is_favourite: true },
  { first_name: 'Alan', last_name: 'Turing', email: 'alan@example.org', birthday: '--03-04', category: 'Friends' },
  { first_name: 'Grace', last_name: 'Hopper', company: 'Navy', job_title: 'Admiral', birthday: '1906-12-09', category: 'Colleagues' },
  { first_name: 'Änne', last_name: 'Burda', phone: '+49 781 8401' },
  { nickname: 'Zuse' },
  { first_name: 'Wolfeschlegelsteinhausenbergerdorff', last_name: 'Rumpelstilzchen-Schwartzenegger', company: 'Donaudampfschifffahrtsgesellschaft', email: 'somebody.with.a.very.long.address@mail.department.example.com' },
] as const // prettier-ignore

/** Fills the address books of somebody who is connected with a user, and links one of their people to that user. */
export async function fillPeople(actor: Actor) {
  const post = async (path: string, body: object): Promise<number> => {
    const answer = await actor.request('POST', path, { body })
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
    return answer.body.id
  }
  const work = await post('/api/address-books', { name: 'Work', color: '#7c5cd6' })
  const ids = new Map<string, number>()
  for (const person of PEOPLE) {
    const book = 'job_title' in person ? { book_id: work } : {}
    ids.set(
      'first_name' in person ? person.first_name : person.nickname,
      await post('/api/people', { ...person, ...book }),
    )
  }
  const { body } = await actor.request('GET', '/api/connections')
  const texts = PEOPLE.flatMap((person) => Object.values(person)).filter((value) => typeof value === 'string')
  return {
    ada: ids.get('Ada'),
    /** The person of the connected user. */
    linked: body.connections[0]?.person_id as number,
    /** What people called all this. */
    names: [...texts.flatMap((text) => text.split('\n')), 'Work', 'Contacts', 'Others'],
  }
}
