import { startHarness } from '../support/harness'
import { FailureLog } from './cast'
import { drawing, seedOf } from './draw'
import { drive, type Run } from './driver'
import type { Extent, Outcome } from './findings'
import { type FileScene, readersOf, sceneOf } from './file-scene'
import { drawFile, type DrawnFile, type FileKind } from './file-texts'
import { giveBack, put, take } from './file-ways'

const LOOK_EVERY = 25
/** After so many files everything begins anew. */
const SCENE_OF = 100
const KINDS: readonly [FileKind, ...FileKind[]] = ['VEVENT', 'VEVENT', 'VTODO', 'VCARD']

/**
 * Draws so many calendar and card files from their grammars, spoils a third of them, brings them in by PUT and import, and looks
 * whether each way out gives back what was taken.
 */
export async function fuzzFiles(extent: Extent): Promise<Outcome> {
  const log = new FailureLog()
  await using h = await startHarness({
    env: { DAV_ALLOW_HTTP: 'on', AUTH_RATE_LIMIT: 'off' },
    deps: { log },
  })
  h.peer.address = '127.0.0.1'
  const scenes: { valid?: FileScene; spoilt?: FileScene } = {}
  const step = async ({ findings }: Run, number: number) => {
    if (number % SCENE_OF === 0)
      Object.assign(scenes, { valid: await sceneOf(h, 'Valid'), spoilt: await sceneOf(h, 'Spoilt') })
    const { valid, spoilt } = scenes
    if (!valid || !spoilt) return
    const drawn = drawnFor(extent.seed, number)
    const { file, kind, way } = drawn
    const problems = await bring(file.isValid ? valid : spoilt, drawn, number).catch(told)
    findings.count(`${kind} ${way}${file.isValid ? '' : ' spoilt'}`, problems.length)
    for (const what of problems) findings.note(titleOf(what), exampleOf(file, what, log, number))
    h.clock.advance({ seconds: 30 })
    if (number % LOOK_EVERY !== LOOK_EVERY - 1) return
    const logged = () => log.failures.at(-1)?.slice(0, 1500) ?? ''
    for (const what of await whole(valid, spoilt).catch(told))
      findings.note(titleOf(what), `after ${number + 1} files: ${what}\n    ${logged()}`)
  }
  return await drive(extent, { h, log, unit: 'files', lookEvery: LOOK_EVERY, step })
}

const titleOf = (what: string): string => what.split('\n')[0] ?? ''
const told = (error: unknown): string[] => [String(error)]

interface Drawn {
  readonly file: DrawnFile
  readonly kind: FileKind
  readonly way: 'PUT' | 'import'
}

function drawnFor(seed: number, number: number): Drawn {
  const draw = drawing(seedOf(seed, 'file', number))
  const kind = draw.pick(KINDS)
  const way = kind === 'VTODO' || draw.percent(60) ? 'PUT' : 'import'
  return {
    file: drawFile(draw, kind, { number, objects: way === 'PUT' ? 1 : draw.integer(1, 4) }),
    kind,
    way,
  }
}

async function bring(scene: FileScene, { file, kind, way }: Drawn, number: number): Promise<string[]> {
  const place = scene.places.get(kind)
  if (!place) throw new Error('no place')
  return way === 'PUT' ? put(scene, place, file, `n${number}`) : take(scene, place, file)
}

/** Everything that is there by now is read by all ways, and what is valid is given back by all. */
async function whole(valid: FileScene, spoilt: FileScene): Promise<string[]> {
  const problems: string[] = []
  for (const scene of [valid, spoilt])
    for (const place of scene.places.values()) problems.push(...(await readersOf(scene, place)))
  for (const place of valid.places.values())
    if (place.kind !== 'VTODO') problems.push(...(await giveBack(valid, place)))
  return problems
}

function exampleOf(
  { bytes, isValid }: DrawnFile,
  what: string,
  { failures }: FailureLog,
  number: number,
): string {
  const text = new TextDecoder().decode(bytes)
  return `file ${number}${isValid ? '' : ', spoilt'}: ${what.slice(0, 2500)}\n${text.slice(0, 2500)}\n    ${failures.at(-1)?.slice(0, 1500) ?? ''}`
}
