import { eq } from 'drizzle-orm'
import {
  accessTokens,
  addressBooks,
  auditLog,
  backupCodes,
  blocks,
  calendarFeeds,
  calendarMembers,
  calendars,
  connectionRequests,
  connections,
  davCollections,
  davGone,
  davProperties,
  eventAlarms,
  eventExtraStarts,
  eventInvitations,
  eventOccurrences,
  events,
  eventSources,
  eventTemplates,
  eventTexts,
  identities,
  invitationParts,
  jobRuns,
  looseCards,
  mfaTokens,
  notifications,
  occurrenceResponses,
  oidcBegins,
  operations,
  passkeys,
  people,
  personTexts,
  projects,
  projectTasks,
  pushDeliveries,
  pushWakes,
  seenUserAgents,
  sentInvitations,
  settings,
  systemConfig,
  taskComments,
  totpCredentials,
  webauthnChallenges,
} from '../../src/db/schema'
import { administer } from './database'
import type { Harness } from './harness'
import { AWKWARD, fillTodos } from './every-table.todos'

const one = <T>(rows: readonly T[]): T => {
  const [row] = rows
  if (!row) throw new Error('no row')
  return row
}

/** Puts rows into every table, with values of every kind. */
export async function fillEveryTable(h: Harness): Promise<void> {
  const { db } = h
  const now = h.clock.now()
  const stamps = { createdAt: now, updatedAt: now }
  const [ada, bob] = [await h.signedIn({ role: 'admin' }), await h.signedIn({ email: 'bob@example.org' })]
  const [userId, otherUserId] = [ada.row.id, bob.row.id]
  await db.insert(systemConfig).values({ allowRegistration: true, updatedAt: now })
  await db
    .insert(auditLog)
    .values(AWKWARD.map((text) => ({ action: 'test', actorId: userId, detail: { text }, createdAt: now })))
  const day = { startDate: '2026-03-05', endDate: '2026-03-06', lastEndDate: '2026-03-06' }
  const calendar = one(
    await db
      .insert(calendars)
      .values({ userId, name: 'Shared', color: '#aabbcc', ...stamps })
      .returning(),
  )
  await db.insert(calendarMembers).values({
    calendarId: calendar.id,
    userId: otherUserId,
    permission: 'read',
    status: 'accepted',
    ...stamps,
  })
  const event = one(
    await db
      .insert(events)
      .values(AWKWARD.map((title) => ({ calendarId: calendar.id, title, allDay: true, ...day, ...stamps })))
      .returning(),
  )
  const occurrenceStart = '2026-03-05 00:00:00'
  await db
    .insert(eventOccurrences)
    .values({ eventId: event.id, occurrenceStart, changes: { title: AWKWARD[1] ?? '' }, ...stamps })
  await db.insert(eventExtraStarts).values({ eventId: event.id, start: occurrenceStart })
  const invitation = one(
    await db
      .insert(eventInvitations)
      .values({ eventId: event.id, userId: otherUserId, ...stamps })
      .returning(),
  )
  await db.insert(sentInvitations).values({ senderId: userId, receiverId: otherUserId, createdAt: now })
  await db
    .insert(occurrenceResponses)
    .values({ invitationId: invitation.id, occurrenceStart, response: 'Going', ...stamps })
  await db
    .insert(invitationParts)
    .values({ invitationId: invitation.id, parts: { '': { alarms: AWKWARD.join('') } } })
  await db.insert(eventAlarms).values({
    eventId: event.id,
    userId: otherUserId,
    alarms: { '': AWKWARD.map((raw, after) => ({ raw, after })) },
    updatedAt: now,
  })
  await fillTodos(db, userId, stamps)
  const project = one(
    await db
      .insert(projects)
      .values({ userId, name: 'Project', rank: '1', ...stamps })
      .returning(),
  )
  const parents = await db
    .insert(projectTasks)
    .values([1, 2].map((rank) => ({ projectId: project.id, title: 'Parent', rank: String(rank), ...stamps })))
    .returning()
  await db.insert(projectTasks).values(
    parents.map(({ id }) => ({
      projectId: project.id,
      parentTaskId: id,
      title: 'Child',
      rank: '1',
      ...stamps,
    })),
  )
  await db
    .insert(taskComments)
    .values({ taskId: parents[0]?.id ?? 0, authorId: userId, body: AWKWARD.join(''), ...stamps })
  await fillPeople(h, userId)
  await fillDav(h, userId, calendar.id)
  await db.insert(connectionRequests).values({ senderId: userId, receiverId: otherUserId, ...stamps })
  await db
    .insert(blocks)
    .values({ userId: otherUserId, blockedUserId: userId, networkName: 'ada', createdAt: now })
  await db.insert(connections).values([
    { userId, otherUserId, shareEmail: true, ...stamps },
    { userId: otherUserId, otherUserId: userId, ...stamps },
  ])
  await db
    .insert(notifications)
    .values({ userId, type: 'system', title: 'T', message: 'M', data: {}, createdAt: now })
  await db.insert(accessTokens).values({
    userId,
    name: AWKWARD[2] ?? '',
    scopes: ['tasks:read', 'mcp'],
    tokenHash: 'g',
    prefix: '0123abcd',
    createdAt: now,
    lastUsedIp: '203.0.113.7',
  })
  await db
    .insert(mfaTokens)
    .values({ tokenHash: 'a', userId, purpose: 'sign_in', createdAt: now, expiresAt: now })
  await db.insert(totpCredentials).values({ userId, secret: 'sealed', createdAt: now, lastStep: 58_000_000 })
  await db.insert(backupCodes).values({ userId, codeHash: 'b', createdAt: now })
  await db.insert(passkeys).values({
    userId,
    name: 'Key',
    credentialId: 'c',
    publicKey: Uint8Array.from({ length: 256 }, (_, i) => i),
    signCount: 4_294_967_295,
    transports: ['usb', 'a "b", {c}'],
    deviceType: 'singleDevice',
    backedUp: false,
    createdAt: now,
  })
  await db
    .insert(webauthnChallenges)
    .values({ challengeHash: 'd', purpose: 'sign_in', createdAt: now, expiresAt: now })
  await db
    .insert(identities)
    .values({ userId, issuer: 'https://a.example', subject: AWKWARD[1] ?? '', createdAt: now })
  await db.insert(oidcBegins).values({
    stateHash: 'h',
    browserHash: 'i',
    nonce: 'j',
    codeVerifier: 'k',
    purpose: 'link',
    next: '/',
    userId,
    createdAt: now,
    expiresAt: now,
  })
  await db.insert(eventTemplates).values({ userId, name: 'Template', title: 'T', ...stamps })
  await db
    .insert(calendarFeeds)
    .values({ calendarId: calendar.id, tokenHash: 'e', createdAt: now, lastReadAt: now })
  await db.insert(seenUserAgents).values({ userId, userAgent: AWKWARD[1] ?? '', lastSeenAt: now })
  await db.insert(eventSources).values({ eventId: event.id, hash: 'f', kept: [AWKWARD.join('')] })
  await db
    .insert(eventTexts)
    .values({ eventId: event.id, text: AWKWARD.join(''), zone: 'Europe/Berlin', exactVersion: 1 })
  await db.insert(jobRuns).values({ job: 'purge', lastRunAt: now })
  await db.update(settings).set({ ntfyEnabled: true }).where(eq(settings.userId, userId))
  await db
    .insert(operations)
    .values({ id: crypto.randomUUID(), userId, credential: 'token-1', name: 'deleteTodo', createdAt: now })
  await db.insert(pushWakes).values({ userId, wakeAt: now })
  await db.insert(pushDeliveries).values({
    userId,
    key: 'todo:1',
    kind: 'todo',
    itemId: 1,
    occurrence: '',
    about: '',
    title: 'T',
    fireAt: now,
    dueAt: now,
    expiresAt: now,
    createdAt: now,
  })
}

/** Every row of every table that a backup holds, as text, generated columns and migrations included. */
export async function everyRow(url: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const sql = administer(url)
  try {
    const tables = await sql`
      select format('%I.%I', nspname, relname) as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where nspname in ('public', 'drizzle') and relkind = 'r' and relpersistence = 'p' and relname not in ('sync_state', 'sync_switches') order by 1`
    const rows = new Map<string, string[]>()
    for (const { name } of tables) {
      // Transaction ids and timelines mean nothing in another database.
      const rowOf = name === 'public.sync_scopes' ? '(kind, id, seq, floor, is_new_to_push)' : 't'
      const found = await sql.unsafe(`select ${rowOf}::text as row from ${name} t order by 1`)
      rows.set(
        name,
        found.map(({ row }) => String(row)),
      )
    }
    return rows
  } finally {
    await sql.end({ timeout: 5 })
  }
}

async function fillPeople({ db, clock }: Harness, userId: number): Promise<void> {
  const stamps = { createdAt: clock.now(), updatedAt: clock.now() }
  const book = one(
    await db
      .insert(addressBooks)
      .values({ userId, name: AWKWARD[2] ?? '', color: '#bbccdd', rank: '1.5', ...stamps })
      .returning(),
  )
  await db.insert(people).values(
    AWKWARD.map((notes) => ({
      userId,
      bookId: book.id,
      nickname: 'Grace',
      notes,
      vcardKept: [['x', {}, 'text', notes]] as const,
      ...stamps,
    })),
  )
  const person = one(
    await db
      .insert(people)
      .values({ userId, nickname: 'Texted', ...stamps })
      .returning(),
  )
  const { firstName, lastName, nickname, email, phone, mobile } = person
  const { address, company, jobTitle, birthday, category, notes, isFavourite } = person
  const said = {
    firstName,
    lastName,
    nickname,
    email,
    phone,
    mobile,
    address,
    company,
    jobTitle,
    birthday,
    category,
    notes,
    isFavourite,
  }
  await db.insert(personTexts).values({ personId: person.id, userId, text: AWKWARD.join(''), said })
  await db.insert(looseCards).values({ userId, uid: 'g', text: AWKWARD.join(''), ...stamps })
}

async function fillDav({ db }: Harness, userId: number, item: number): Promise<void> {
  const kind = 'calendar' as const
  await db
    .insert(davCollections)
    .values({ userId, home: 'calendars', slug: AWKWARD[3] ?? '', kind, item, todoListId: item })
  await db.insert(davGone).values({ kind, collection: item, item: 1, name: AWKWARD[3] ?? '' })
  await db.insert(davProperties).values({ userId, place: '/', name: '{DAV:}a', xml: AWKWARD.join('') })
}
