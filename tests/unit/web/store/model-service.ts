import type { call, Sent } from '../../../../src/web/api/call'
import { RefusedError, UNREACHABLE } from '../../../../src/web/api/refusal'
import { type Intent, localId } from '../../../../src/web/store/commands'
import { Store } from '../../../../src/web/store/store'
import type { ChangeView } from '../../../../src/features/overview/changes/model'

/** What becomes of one request on the way. */
export type Fate = 'arrives' | 'lost before' | 'lost after' | 'busy'

export interface ModelTodo {
  readonly id: number
  readonly title: string
  readonly description: string | null
  readonly version: number
}

interface Operation {
  readonly id: string
  readonly todo: number
  readonly before: ModelTodo | undefined
  after: ModelTodo | undefined
}

const refuse = (status: number, detail = '', code?: string): never => {
  throw new RefusedError({ ...UNREACHABLE, status, detail, ...(code && { code }) })
}

/** A service of todos in memory, with versions, keys, operations and a feed, as the contract has them. */
class ModelService {
  readonly todos = new Map<number, ModelTodo>()
  /** Requests that changed something, by their key: each key at most once. */
  readonly executed: string[] = []
  readonly rows: ChangeView[] = []
  fates: Fate[] = []
  #ids = 0
  readonly #deleted: ModelTodo[] = []
  readonly #versions = new Map<number, number>()
  readonly #operations = new Map<string, Operation>()

  readonly send = (async (method: string, path: string, sent?: Sent) => {
    const fate = this.fates.shift() ?? 'arrives'
    await Promise.resolve()
    if (fate === 'lost before') refuse(0)
    if (fate === 'busy') refuse(503)
    const answer = this.#answer(method, path, sent ?? {})
    await Promise.resolve()
    if (fate === 'lost after') refuse(0)
    return answer
  }) as typeof call

  /** A change by somebody else. */
  change(id: number, fields: Partial<ModelTodo> | undefined): void {
    const before = this.todos.get(id)
    if (before) this.#write(id, fields && { ...before, ...fields })
  }

  /** Somebody else undoes the last deletion. */
  restore(): void {
    const gone = this.#deleted.pop()
    if (gone && !this.todos.has(gone.id)) this.#write(gone.id, gone)
  }

  #answer(method: string, path: string, sent: Sent) {
    const key = sent.idempotencyKey ?? ''
    const id = Number(/^todos\/(\d+)$/.exec(path)?.[1])
    const known = this.#operations.get(key)
    const undone = /^operations\/(.+)\/undo$/.exec(path)?.[1]
    if (method === 'GET') return this.#answered(this.todos.get(id) ?? refuse(404))
    if (known) return undone === undefined ? this.#replay(known, method) : this.#undone(known)
    if (undone !== undefined) return this.#undo(undone, key)
    return method === 'POST' ? this.#create(key, sent) : this.#change(key, id, method, sent)
  }

  #replay({ id, todo }: Operation, method: string) {
    const now = this.todos.get(todo)
    if (method !== 'DELETE' && !now) refuse(410, 'Deleted since')
    return this.#answered(now, id)
  }

  #create(key: string, { body }: Sent) {
    const made = { title: '', description: null, version: 0, ...body, id: ++this.#ids }
    return this.#operation(key, made.id, made)
  }

  #change(key: string, id: number, method: string, { body, ifMatch }: Sent) {
    const before = this.todos.get(id) ?? refuse(404)
    const next = { ...before, ...body }
    if (ifMatch !== undefined && ifMatch !== before.version) refuse(412)
    if (next.title === '') refuse(422)
    return this.#operation(key, id, method === 'DELETE' ? undefined : next)
  }

  #operation(key: string, id: number, next: ModelTodo | undefined) {
    this.executed.push(key)
    const before = this.todos.get(id)
    const operation = { id: key, todo: id, before, after: this.#write(id, next) }
    this.#operations.set(key, operation)
    return this.#answered(operation.after, key)
  }

  #undo(id: string, key: string) {
    const operation = this.#operations.get(id) ?? refuse(404, 'Operation not found')
    const [now, then] = [this.todos.get(operation.todo), operation.after]
    if (now?.title !== then?.title || now?.description !== then?.description) refuse(409, 'Changed since')
    this.#operation(key, operation.todo, operation.before)
    return this.#undone({ ...operation, id: key })
  }

  #undone({ id, todo }: Operation) {
    return this.#answered({ operation_id: id, changes: [this.#row(todo)], has_more: false }, id)
  }

  #answered = (body: unknown, operationId?: string) => ({ body, status: 200, operationId })

  #write(id: number, next: ModelTodo | undefined): ModelTodo | undefined {
    const version = (this.#versions.get(id) ?? 0) + 1
    this.#versions.set(id, version)
    const written = next && { ...next, version }
    const before = this.todos.get(id)
    if (!written && before) this.#deleted.push(before)
    if (written) this.todos.set(id, written)
    else this.todos.delete(id)
    this.rows.push(this.#row(id))
    return written
  }

  #row(id: number): ChangeView {
    const item = this.todos.get(id) ?? null
    const version = item?.version ?? null
    return { type: 'todo', id, op: item ? 'put' : 'delete', parent_id: null, version, item } as ChangeView
  }
}

/** A store before a model service; time passes when the test says so. */
export function startStore(service = new ModelService()) {
  const timers: Array<() => void> = []
  const store = new Store({
    send: service.send,
    later: (_, then) => void timers.push(then),
    random: () => 0,
    zone: () => 'Europe/Berlin',
    tab: 'tab',
  })
  const shown = () => store.records.list('todo') as unknown as ModelTodo[]

  /** Lets everything happen that happens by itself. */
  async function settle(rounds = 40): Promise<void> {
    for (let round = 0; round < rounds; round++) {
      for (let turn = 0; turn < 12; turn++) await Promise.resolve()
      for (const timer of timers.splice(0)) timer()
    }
  }

  /** The feed delivers what it has, or its first rows. */
  const deliver = (count = service.rows.length) => store.receive({ changes: service.rows.splice(0, count) })

  return {
    service,
    store,
    shown,
    settle,
    deliver,
    create: (title: string) => {
      const id = localId()
      return { todo: id, ...store.run(creating(id, title)) }
    },
    change: (id: number, fields: Partial<ModelTodo>, opened?: ModelTodo) =>
      store.run({ ...changing(id, fields), ...(opened && { opened }) }),
    remove: (id: number) =>
      store.run({
        said: 'Deleted',
        apply: [{ is: 'delete', kind: 'todo', id }],
        request: { method: 'DELETE', path: `todos/${id}` },
        guard: { kind: 'todo', id },
      }),
  }
}

const creating = (id: number, title: string): Intent => ({
  said: 'Added',
  apply: [{ is: 'put', kind: 'todo', id, item: { id, title, description: null, version: 0 } }],
  request: { method: 'POST', path: 'todos', body: { title, description: null } },
  creates: { kind: 'todo', id },
})

const changing = (id: number, fields: Partial<ModelTodo>): Intent => ({
  said: 'Changed',
  apply: [{ is: 'patch', kind: 'todo', id, fields }],
  request: { method: 'PUT', path: `todos/${id}`, body: fields },
  guard: { kind: 'todo', id },
})
