import { expect, test } from 'bun:test'
import { HashQueue } from '../../src/adapters/password-hasher.queue'
import type { HashOwner } from '../../src/lib/ports/passwords'

interface Job {
  readonly name: string
  readonly owner: HashOwner
}

const queueOf = (...jobs: Job[]) => {
  const queue = new HashQueue<Job>()
  for (const job of jobs) queue.add(job)
  return queue
}

const proof = (name: string, account: number): Job => ({ name, owner: { account } })
const signIn = (name: string, account: number): Job => ({ name, owner: { account, isSignIn: true } })

/** Takes one job after the other, each of which ends before the next begins. */
function inTurn(queue: HashQueue<Job>): string {
  const names: string[] = []
  for (let job = queue.take(); job; job = queue.take()) {
    names.push(job.name)
    queue.ended(job)
  }
  return names.join(' ')
}

test('two hashes of one account are under way at once, and the work of others goes past the third', () => {
  const [a, b, c, d] = [proof('a', 1), proof('b', 1), proof('c', 1), proof('d', 2)]
  const queue = queueOf(a, b, c, d)
  expect([queue.take(), queue.take(), queue.take(), queue.take()]).toEqual([a, b, d, undefined])
  queue.ended(a)
  expect(queue.take()).toBe(c)
})

test('sign-ins and all else take turns, however many of either wait', () => {
  const proofs = Array.from({ length: 5 }, (_, i) => proof(`p${i}`, i))
  expect(inTurn(queueOf(...proofs, signIn('s0', 10), signIn('s1', 11)))).toBe('s0 p0 s1 p1 p2 p3 p4')
})

test('a hash for nobody yet waits for no other', () => {
  const jobs = Array.from({ length: 4 }, (_, i) => ({ name: `n${i}`, owner: {} }))
  const queue = queueOf(...jobs)
  expect(jobs.map(() => queue.take())).toEqual(jobs)
})

test('a sign-in waits for the sign-ins before it and as many others, and not for all', () => {
  const queue = queueOf(...Array.from({ length: 600 }, (_, i) => proof(`p${i}`, i)))
  expect(queue.ahead({ account: 1000, isSignIn: true }, 2)).toBe(0)
  queue.add(signIn('s', 1000))
  expect(queue.ahead({ account: 1001, isSignIn: true }, 2)).toBe(2)
  expect(queue.ahead({ account: 1001 }, 2)).toBe(601)
})

test('who has many hashes waiting waits for their own, two by two', () => {
  const queue = queueOf(...Array.from({ length: 10 }, (_, i) => proof(`p${i}`, 1)))
  expect(queue.ahead({ account: 1 }, 8)).toBe(40)
  expect(queue.ahead({ account: 2 }, 8)).toBe(2)
})

test('nothing may run while the accounts of all that wait have two under way', () => {
  const queue = queueOf(proof('a', 1), proof('b', 1), proof('c', 1))
  const [first] = [queue.take(), queue.take()]
  expect(queue.canRun()).toBe(false)
  if (first) queue.ended(first)
  expect(queue.canRun()).toBe(true)
  expect([queue.take()?.name, queue.canRun()]).toEqual(['c', false])
})

test('who asks next goes past all but two of each other account', () => {
  const queue = queueOf(
    ...Array.from({ length: 10 }, (_, i) => proof(`p${i}`, 1)),
    ...Array.from({ length: 10 }, (_, i) => proof(`q${i}`, 2)),
    { name: 'n', owner: {} },
  )
  expect(queue.ahead({ account: 3 }, 2)).toBe(5)
})

test('clients that sign in take turns, however many sign-ins of one of them wait', () => {
  const from = (name: string, client: string): Job => ({
    name,
    owner: { account: name, isSignIn: true, client },
  })
  const flood = Array.from({ length: 5 }, (_, i) => from(`f${i}`, 'flooder'))
  const queue = queueOf(...flood)
  expect(queue.ahead({ account: 'v', isSignIn: true, client: 'visitor' }, 2)).toBe(1)
  queue.add(from('v0', 'visitor'))
  queue.add(from('v1', 'visitor'))
  queue.add(from('w0', 'other'))
  expect(inTurn(queue)).toBe('f0 v0 w0 f1 v1 f2 f3 f4')
})
