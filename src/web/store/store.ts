import type { ChangesPage, ChangeView } from '../../features/overview/changes/model'
import type { UndoView } from '../../features/overview/operations/model'
import type { Answer, call } from '../api/call'
import { type Refusal, UNREACHABLE } from '../api/refusal'
import { randomKey } from '../api/random'
import { type SentCommand, type Intent, isLocal, subjectOf, withId } from './commands'
import { commit, isRecord } from './commit'
import { Doubts } from './doubts'
import { inverseOf } from './effects'
import { type Fields, type RecordKind, type KeptKind, nameOf, type RecordName } from './kinds'
import { Listeners } from './listeners'
import { Loader } from './loader'
import { LocalIds } from './local-ids'
import { Notes, type CommandOutcome } from './notes'
import { Outbox } from './outbox'
import { Records } from './records'
import { Sender, withoutFields } from './sender'
import { undoPath, UndoStack } from './undo'
import { WindowChanges } from './window-changes'
import { Windows } from './windows'

interface Ports {
  readonly send: typeof call
  readonly later: (milliseconds: number, then: () => void) => void
  readonly random: () => number
  /** The zone of the user. */
  readonly zone: () => string
  readonly tab: string
}

/** Everything that the client knows of one user's records, and the changes on their way (contract: web.store). */
export class Store {
  readonly outbox = new Outbox()
  readonly records = new Records(() => this.outbox.effects())
  readonly windows: Windows
  readonly loader: Loader
  readonly sender: Sender
  readonly notes = new Notes()
  readonly ids = new LocalIds()
  /**
   * Tells of each row of the feed, by its kind and by its name, also where it says nothing new of the record: what belongs to it and
   * is no record itself may be different, such as the members of a calendar.
   */
  readonly told = new Listeners<string>()
  readonly #undo = new UndoStack()
  readonly #windowChanges = new WindowChanges()
  readonly #doubts: Doubts
  readonly #ports: Ports
  readonly #settled = new Map<string, (outcome: CommandOutcome) => void>()
  /** Rows that may be what a command of ours made, until its answer tells. */
  #withheld: ChangeView[] = []
  constructor(ports: Ports) {
    this.#ports = ports
    this.windows = new Windows({
      pending: () => this.outbox.effects(),
      zone: ports.zone,
      isWithheld: (id) => this.outbox.mayHaveMade({ kind: 'event', id }) && !this.windows.said(id, undefined),
      isReading: () => this.loader.isReading(),
    })
    this.#doubts = new Doubts({ ...ports, records: this.records, isSending: this.outbox.isSending })
    this.loader = new Loader({
      receive: (rows, isFed) => this.#take(rows, isFed),
      whole: (kind, ids) => this.#forgetOthers(kind, ids),
      rest: () => this.windows.refresh(),
    })
    this.sender = new Sender({
      outbox: this.outbox,
      send: ports.send,
      reread: (command) => this.#reread(command),
      current: (command) => this.#current(command),
      confirmed: (command, answer) => this.#confirm(command, answer),
      refused: (command, refusal) => this.#refuse(command, refusal),
      merged: ({ said }) => this.notes.notice({ is: 'merged', said }),
      clashed: (command, clashes) => {
        this.notes.add({ command, clashes })
        this.#flush()
      },
      later: ports.later,
      random: ports.random,
    })
  }

  /** The zone of the user. */
  zone = (): string => this.#ports.zone()

  /** Does something at once on this device and asks the service for it. */
  run(intent: Intent): { readonly id: string; readonly done: Promise<CommandOutcome> } {
    const command = this.#commandOf(intent)
    const done = new Promise<CommandOutcome>((resolve) => this.#settled.set(command.id, resolve))
    if (intent.canUndo !== false) this.#undo.push(command)
    this.adopt([command])
    return { id: command.id, done }
  }

  /** Takes up commands of another page, whose person has left. */
  adopt(commands: readonly SentCommand[]): void {
    for (const command of commands) {
      this.outbox.add(command)
      this.#show(command)
    }
    this.#flush()
    this.sender.pump()
  }

  #commandOf(intent: Intent & { undoes?: string }): SentCommand {
    const real = this.ids.renamed(intent)
    const { guard, creates } = real
    const opened = real.opened ?? (guard && this.find(guard))
    return {
      ...real,
      ...(opened && { opened }),
      id: randomKey(),
      inverse: inverseOf(real.apply, (name) => this.find(name)),
      state: 'waiting',
      wasSent: false,
      after: creates ? this.#greatestId(creates.kind) : 0,
      tab: this.#ports.tab,
    }
  }

  #greatestId = (kind: RecordKind): number =>
    kind === 'event' ? this.windows.greatestId() : this.records.greatestId(kind)

  /** A record as it shows. */
  find(name: RecordName): object | undefined {
    const real = { ...name, id: this.ids.real(name.id) }
    return name.kind === 'event' ? this.windows.shown(real.id, real.at) : this.records.shown(real)
  }

  /** Undoes a command, by default the last one: takes it back if it was not sent, else asks the service. */
  undo(id?: string): boolean {
    const done = this.#undo.take(id)
    if (!done) return false
    const waiting = this.outbox.find(done.id)
    if (waiting && !waiting.wasSent) this.#withdraw(waiting)
    else this.run(this.#undo.undoing(waiting ?? done))
    return true
  }

  #withdraw(command: SentCommand): void {
    for (const each of [...this.outbox.dependents(command).toReversed(), command]) {
      this.#leave(each, { is: 'withdrawn' })
      this.#undo.take(each.id)
    }
    if (command.guard) this.#rebase(command, { ...command.opened })
    this.#flush()
    this.notes.notice({ is: 'undone', said: command.said })
    this.sender.pump()
  }

  /** Decides a conflict: the fields named are theirs, all others mine. */
  resolve(id: string, theirs: readonly string[], keepsDeletion = true): void {
    const command = this.outbox.find(id)
    this.notes.drop(id)
    const now = command && this.#current(command)
    if (!command) return
    // Somebody deleted it while the person was deciding.
    if (!now) {
      this.#refuse(command, { ...UNREACHABLE, status: 404 })
      this.#flush()
      return this.sender.pump()
    }
    const changes = withoutFields(command, theirs)
    const [first] = changes.apply ?? command.apply
    const isNothingLeft = first?.is === 'patch' ? Object.keys(first.fields).length === 0 : !keepsDeletion
    if (isNothingLeft) {
      this.#undo.take(id)
      this.#leave(command, { is: 'withdrawn' })
    } else {
      this.outbox.update(id, {
        ...changes,
        state: 'waiting',
        opened: now.item,
        wasSent: false,
        ifMatch: undefined,
      })
      this.#show(command)
    }
    this.#flush()
    this.sender.pump()
  }

  /** Whether rows of the feed wait for an answer, so that not all is known up to its place. */
  isWithholding = (): boolean => this.#withheld.length > 0

  /** Takes a page of the change feed. */
  receive({ changes }: Pick<ChangesPage, 'changes'>): void {
    this.loader.note(changes)
    this.#take(changes)
    const names = changes.flatMap(({ type: kind, id }) => [kind, nameOf({ kind, id })])
    for (const name of new Set(names)) this.told.tell(name)
  }

  #take(rows: readonly ChangeView[], isFed = true): void {
    for (const row of rows) {
      const name = { kind: row.type, id: row.id }
      const isNew = row.type !== 'event' && !this.records.wasSaid(name)
      if (isNew && this.outbox.mayHaveMade(name)) this.#withheld.push(row)
      else this.#apply(row, isFed)
    }
    this.#flush()
    this.windows.refresh()
  }

  #takeAnswer({ changes }: UndoView): void {
    this.loader.note(changes)
    for (const row of changes) this.#apply(row, true, this.records.receiveAnswer)
  }

  #apply(row: ChangeView, isFed = true, receive = this.#receiveFed): void {
    if (row.type === 'event') return this.windows.receive(row)
    const known = this.records.said({ kind: row.type, id: row.id })?.item
    if (this.#windowChanges.concerns(row, known, isFed)) this.windows.doubt()
    receive(row)
  }

  #receiveFed = (row: ChangeView): void => {
    const isDoubtful = row.op === 'delete' && this.#doubts.note({ kind: row.type, id: row.id })
    if (!isDoubtful) this.records.receive(row)
  }

  /** The place in the feed is known anew: everything is read again, and what is known stays until then. */
  restart(): void {
    this.records.forgetDeletions()
    // What shows of the calendar is the most work for the service.
    this.windows.restart()
    this.loader.restart()
  }

  /** The place in the feed is not known, maybe because the service refused to tell. */
  stop(refusal?: Refusal): void {
    this.loader.stop(refusal)
    this.windows.stop(refusal)
  }

  #forgetOthers(kind: KeptKind, ids: ReadonlySet<number>): void {
    for (const id of this.records.ids(kind)) if (!ids.has(id)) this.records.forget({ kind, id })
    this.#flush()
  }

  #confirm(command: SentCommand, answer: Answer<unknown>): void {
    const body = command.undoes === undefined ? answer.body : undefined
    const made = this.#nameMade(command, body)
    const confirmed = made === undefined ? command : withId(command, made.local, made.id)
    if (answer.status !== 410) commit(this, confirmed, body)
    if (isRecord(body)) this.#rebase(confirmed, body)
    this.#leave(command, { is: 'confirmed', body: answer.body })
    this.#show(confirmed)
    this.#noteOperation(command, answer.operationId)
    if (command.undoes !== undefined) {
      this.#rebaseUndone(command, answer.body as UndoView)
      this.#takeAnswer(answer.body as UndoView)
      this.notes.notice({ is: 'undone', said: command.said })
    }
    this.#take(this.#withheld.splice(0))
  }

  /** Gives the record that a command made the service's id. */
  #nameMade({ creates }: SentCommand, body: unknown): { local: number; id: number } | undefined {
    if (!creates || !isLocal(creates.id) || !isRecord(body) || typeof body.id !== 'number') return undefined
    const [local, id] = [creates.id, body.id]
    this.ids.learn(creates.kind, local, id)
    for (const renamed of this.outbox.rename(local, id)) this.#show(renamed)
    this.#undo.rename(local, id)
    return { local, id }
  }

  /** Later commands of the record start from what became of this one. */
  #rebase({ apply, guard, creates, ifMatch }: SentCommand, values: Fields): void {
    const name = guard ?? creates
    const [first] = apply
    if (!name || !first || first.is === 'delete') return
    const set: Fields = first.is === 'patch' ? { ...first.fields, version: ifMatch } : { ...first.item }
    this.outbox.rebase(name, set, values)
  }

  /** Later commands started from what the undoing promised; as it succeeded, nobody else was in between. */
  #rebaseUndone({ apply }: SentCommand, { changes }: UndoView): void {
    for (const { type: kind, id, item } of changes) {
      const effect = apply.find((each) => each.kind === kind && each.id === id)
      if (!item || !effect || effect.is === 'delete') continue
      const version = this.records.said({ kind, id })?.version
      const set = effect.is === 'patch' ? { ...effect.fields, version } : { ...effect.item }
      this.outbox.rebase({ kind, id }, set, { ...item })
    }
  }

  #noteOperation({ id, undoes }: SentCommand, operationId: string | undefined): void {
    const undoing = this.outbox.list().find((each) => each.undoes === id)
    if (operationId === undefined) {
      this.#undo.take(id)
      if (undoing) this.#leave(undoing, { is: 'withdrawn' })
      return
    }
    if (undoes === undefined) this.#undo.confirm(id, operationId)
    if (undoing)
      this.outbox.update(undoing.id, { request: { ...undoing.request, path: undoPath(operationId) } })
  }

  #refuse(command: SentCommand, refusal: Refusal): void {
    for (const each of [...this.outbox.dependents(command).toReversed(), command]) {
      this.#leave(each, { is: 'refused', refusal })
      this.#undo.take(each.id)
    }
    if (command.guard && refusal.status === 404) this.records.forget(command.guard)
    if (command.guard) this.#rebase(command, { ...command.opened })
    this.windows.doubt()
    if (refusal.status !== command.quietAt) {
      this.notes.notice({
        is: command.undoes === undefined ? 'refused' : 'not-undone',
        said: command.said,
        refusal,
        from: command.from,
      })
    }
    this.#take(this.#withheld.splice(0))
  }

  /** Takes a command out of the outbox and shows its records without it. */
  #leave(command: SentCommand, outcome: CommandOutcome): void {
    this.outbox.remove(command.id)
    this.notes.drop(command.id)
    this.#show(command)
    this.#settled.get(command.id)?.(outcome)
    this.#settled.delete(command.id)
  }

  #show({ apply }: SentCommand): void {
    for (const effect of apply) this.records.touch(effect)
    if (apply.some(({ kind }) => kind === 'event')) this.windows.changed()
  }

  #flush(): void {
    this.#doubts.settle()
    this.records.flush()
  }

  #current(command: SentCommand): { item: Fields; version: number } | undefined {
    const name = subjectOf(command)
    if (!name) return undefined
    const item = name.kind === 'event' ? this.windows.said(name.id, name.at) : this.records.said(name)?.item
    if (!item || !('version' in item) || typeof item.version !== 'number') return undefined
    return { item: { ...item }, version: item.version }
  }

  async #reread({ guard, request: { path } }: SentCommand): Promise<void> {
    if (!guard) return
    if (guard.kind === 'event') return this.windows.readAgain(guard)
    // An action of a record stands below its address, as the link of a person does.
    const own = path.replace(/\?.*$/, '').replace(/\/[a-z-]+$/, '')
    const { body } = await this.#ports.send<Fields>('GET', own)
    this.records.answer(guard, body, [])
    this.#flush()
  }
}
