import { calendarLines, components } from './calendar-grammar'
import { cardLines } from './card-grammar'
import { fileFrom } from './content-lines'
import { SPOILING } from './dav-texts'
import type { Draw } from './draw'

export type FileKind = 'VEVENT' | 'VTODO' | 'VCARD'

export interface DrawnFile {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Whether it is as the grammar has it. */
  readonly isValid: boolean
  readonly uids: readonly string[]
}

const UIDS = ['', '@example.org', ' with space', '/slash', '%2F', 'ä', ',;:', '"', '{}', '.'] as const

/** A name that is used once, in the spellings of many programs. */
const uidFor = (draw: Draw, number: number, at: number): string =>
  `u${number}-${at}${draw.percent(85) ? '' : draw.pick(UIDS)}`

/** Lines in another order, twice, without one, or with one of somebody else. */
function mutatedLines(draw: Draw, lines: readonly string[]): string[] {
  const at = draw.nat(lines.length - 1)
  const [line = '', other = ''] = [lines[at], lines[draw.nat(lines.length - 1)]]
  return draw.pick<() => string[]>([
    () => lines.toSpliced(at, 1),
    () => lines.toSpliced(at, 0, line),
    () => lines.toSpliced(at, 1, other),
    () => lines.with(at, line.replace(':', '')),
    () => lines.with(at, line.replace(/:.*/, ':')),
    () => lines.with(at, line.replace(/:.*/, `:${draw.text(0, 30)}`)),
    () =>
      lines.with(
        at,
        line.replace(/\d+/, (digits) => String(Number(digits) * 9 + 1)),
      ),
    () => lines.with(at, line.replace(/;[^;:]*/, ';X="open')),
    () => lines.with(at, `${line}${'x'.repeat(draw.pick([80, 1000, 70_000]))}`),
    () => lines.toSpliced(at, 0, 'BEGIN:VEVENT', 'END:VEVENT'),
    () => lines.toSpliced(at, 0, ...Array.from({ length: 40 }, (_, depth) => `BEGIN:X-${depth}`)),
    () => lines.toSpliced(at, 0, ' a line that goes on'),
    () => lines.toSpliced(at, 0, ''),
  ])()
}

function spoiltBytes(draw: Draw, bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  if (draw.percent(50)) {
    const text = draw.oneOf(SPOILING)?.(new TextDecoder().decode(bytes), draw) ?? ''
    return new Uint8Array(Buffer.from(text))
  }
  const spoilt = new Uint8Array(bytes)
  for (let n = draw.integer(1, 3); n > 0 && spoilt.length > 0; n--)
    spoilt[draw.nat(spoilt.length - 1)] = draw.integer(0, 255)
  return draw.percent(15) ? new Uint8Array(Buffer.from(Buffer.from(bytes).toString(), 'utf16le')) : spoilt
}

/** A file with so many objects, two in three as the grammar has it, the others spoilt in their lines or bytes. */
export function drawFile(
  draw: Draw,
  kind: FileKind,
  { number, objects }: { number: number; objects: number },
): DrawnFile {
  const uids = Array.from({ length: objects }, (_, at) => uidFor(draw, number, at))
  const lines =
    kind === 'VCARD'
      ? uids.flatMap((uid) => cardLines(draw, uid))
      : calendarLines(
          draw,
          uids.flatMap((uid) => components(draw, kind, uid)),
        )
  if (draw.percent(66)) return { bytes: fileFrom(draw, lines), isValid: true, uids }
  const mutated = draw.percent(60) ? mutatedLines(draw, lines) : lines
  const bytes = fileFrom(draw, mutated)
  return { bytes: mutated === lines ? spoiltBytes(draw, bytes) : bytes, isValid: false, uids }
}
