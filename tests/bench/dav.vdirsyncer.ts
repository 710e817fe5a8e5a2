import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import type { Place } from './dav.requests'

/** How long `vdirsyncer sync` takes for a calendar that it does not know yet, and for one in which nothing changed. */
export async function measureVdirsyncer(place: Place, user: string): Promise<string> {
  const program = Bun.which('vdirsyncer')
  if (program === null) return 'vdirsyncer is not installed'
  const folder = await mkdtemp(join(tmpdir(), 'organiser-bench-'))
  const [, token = ''] = atob(place.authorization.replace('Basic ', '')).split(':')
  const config = join(folder, 'config')
  await writeFile(
    config,
    `[general]
status_path = "${folder}/status"
[pair calendars]
a = "local"
b = "remote"
collections = ["${place.path.split('/').at(-2)}"]
[storage local]
type = "filesystem"
path = "${folder}/calendars"
fileext = ".ics"
[storage remote]
type = "caldav"
url = "${place.base}/"
username = "${user}"
password = "${token}"
`,
  )
  const run = async (command: string): Promise<number> => {
    const startedAt = performance.now()
    const child = Bun.spawn([program, '--config', config, command], {
      env: { PATH: process.env['PATH'] ?? '', HOME: folder, LC_ALL: 'C.UTF-8' },
      stdin: new Blob(['y\n'.repeat(10)]),
      stdout: 'ignore',
      stderr: 'ignore',
    })
    if ((await child.exited) !== 0) throw new Error(`vdirsyncer ${command} failed`)
    return (performance.now() - startedAt) / 1000
  }
  await run('discover')
  const [first, second] = [await run('sync'), await run('sync')]
  await rm(folder, { recursive: true })
  return `vdirsyncer takes ${first.toFixed(1)} s for a calendar of 10 000 objects, and ${second.toFixed(1)} s when nothing changed.`
}
