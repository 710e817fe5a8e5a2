import { expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { textOfChild } from '../../src/lib/xml/element'
import { dav } from '../../src/lib/xml/names'
import { freshDatabaseUrl } from '../support/database'
import { multigetOf, type Phone, phoneOf, PREFIXES, propfindOf, syncOf } from '../support/dav'
import { ALL_KINDS, type DavKind, REMINDERS } from '../support/dav-kinds'
import { startHarness } from '../support/harness'
import { commandPath, startService, spawnProgram } from '../support/service'

setDefaultTimeout(60_000)

const KEYS = 'k1:faults-faults-faults-faults-faults'
const run = async (command: 'backup' | 'restore', url: string, file: string) => {
  const program = spawnProgram({
    env: { DATABASE_URL: url, SECRET_KEYS: KEYS },
    args: [commandPath(command), file],
  })
  const { exitCode, stderr } = await program.finished()
  expect([command, exitCode, stderr]).toEqual([command, 0, ''])
}

/** Bytes that a careless copy would spoil: a byte order mark, bare line ends, tabs, backslashes, NEL, odd foldings. */
const awkward = (kind: DavKind, uid: string) =>
  `\uFEFF${kind.textOf(uid, 'Zoë 🎂 \\, \\;', ['X-ODD:\t\\.\\N "x" \u0085\u2028', 'X-FOLDED:a\r\n b\r\n\tc'])}`

/** The address of a collection; that of reminders is there already. */
async function collectionOf(phone: Phone, kind: DavKind): Promise<string> {
  const home = `/dav/${kind.home}/${phone.userId}/`
  if (kind === REMINDERS) return `${home}${kind.slug}/`
  const path = `${home}kept%20${kind.name}/`
  expect((await phone.send(kind.make.method, path, { body: kind.make.body })).status).toBe(201)
  return path
}

/** A collection with two objects, one that is gone, and a property that a client keeps. */
async function fill(phone: Phone, kind: DavKind) {
  const path = await collectionOf(phone, kind)
  const made = []
  const texts = new Map<string, string>()
  for (const name of ['plain', '%C3%84%20odd@name', 'gone']) {
    // Address books have each UID once between them.
    const uid = `${name} of ${kind.name}`
    const body = name === 'plain' ? kind.textOf(uid, 'Plain') : awkward(kind, uid)
    texts.set(`${path}${name}.${kind.extension}`, body)
    made.push(await phone.send('PUT', `${path}${name}.${kind.extension}`, { body }))
  }
  const gone = `${path}gone.${kind.extension}`
  const { xml } = await phone.report(path, syncOf(''))
  made.push(await phone.send('DELETE', gone))
  texts.delete(gone)
  const property = '<x xmlns="urn:x" a="1">Kept &amp; <b>whole</b></x>'
  const body = `<d:propertyupdate ${PREFIXES}><d:set><d:prop>${property}</d:prop></d:set></d:propertyupdate>`
  made.push(await phone.send('PROPPATCH', path, { body }))
  expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 204, 207])
  const { xml: later } = await phone.report(path, syncOf(''))
  const tokens = [xml, later].map((one) => textOfChild(one, dav('sync-token')) ?? '')
  return { kind, path, texts, gone, tokens }
}

test('a restored service gives phones their texts, names, tags and properties back, and takes no token from before', async () => {
  await using h = await startHarness({ env: { DAV_ALLOW_HTTP: 'on' } })
  const phone = await phoneOf(h, await h.signedIn())
  const filled = []
  for (const kind of ALL_KINDS) filled.push(await fill(phone, kind))
  const folder = await mkdtemp(join(tmpdir(), 'organiser-backup-dav-'))
  await using target = await freshDatabaseUrl({ migrated: false })
  try {
    await run('backup', h.url, join(folder, 'backup.gz'))
    await run('restore', target.url, join(folder, 'backup.gz'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  await using service = await startService({ env: { DATABASE_URL: target.url, SECRET_KEYS: KEYS } })
  const ask = (method: string, path: string, body?: string, depth = '0') =>
    service.fetch(path, {
      method,
      headers: { authorization: phone.authorization, depth },
      ...(body !== undefined && { body }),
    })

  for (const { kind, path, texts, gone, tokens } of filled) {
    for (const [href, text] of texts) {
      const [there, here] = [await ask('GET', href), await phone.send('GET', href)]
      expect(Buffer.from(await there.arrayBuffer())).toEqual(Buffer.from(text))
      expect(there.headers.get('etag')).toBe(here.headers.get('etag'))
    }
    expect((await ask('GET', gone)).status).toBe(404)
    const names = ['x:x', 'd:displayname', 'd:getetag']
    const body = propfindOf(names).replace('xmlns:d=', 'xmlns:x="urn:x" xmlns:d=')
    const listed = await (await ask('PROPFIND', path, body, '1')).text()
    expect(listed).toBe((await phone.send('PROPFIND', path, { body, headers: { depth: '1' } })).text)
    expect(listed).toContain('whole')
    const multiget = multigetOf([...texts.keys()], [kind.data]).replaceAll(
      'c:calendar-multiget',
      kind.multiget,
    )
    expect(await (await ask('REPORT', path, multiget)).text()).toBe((await phone.report(path, multiget)).text)
    for (const token of tokens) {
      const refused = await ask('REPORT', path, syncOf(token))
      expect([refused.status, await refused.text()]).toEqual([
        403,
        expect.stringContaining('<d:valid-sync-token'),
      ])
    }
    const anew = await (await ask('REPORT', path, syncOf(''))).text()
    for (const href of texts.keys()) expect(anew).toContain(`<d:href>${href}</d:href>`)
    expect(anew).not.toContain(gone)
    const token = /<d:sync-token>([^<]*)/.exec(anew)?.[1] ?? ''
    expect(tokens).not.toContain(token)
    await ask('DELETE', [...texts.keys()][0] ?? '')
    const news = await (await ask('REPORT', path, syncOf(token))).text()
    expect([...news.matchAll(/<d:href>([^<]*)/g)].map(([, href]) => href)).toEqual(
      [...texts.keys()].slice(0, 1),
    )
  }
})
