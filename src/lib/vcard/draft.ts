import { fold } from './encoding'
import { type ContentLine, endOf, type Param, paramsOf, rawValue, valuesNamed } from './lines'

/** A content line that is about to be written anew. */
export interface LineDraft {
  readonly group: string
  /** In upper case. */
  readonly name: string
  readonly params: readonly Param[]
  /** Unfolded. */
  readonly value: string
}

/** What makes a draft of a draft; it returns the same object where nothing is to change. */
export type Rewrite = (draft: LineDraft) => LineDraft

export const draftOf = (line: ContentLine): LineDraft => ({
  group: line.group,
  name: line.name,
  params: paramsOf(line),
  value: rawValue(line),
})

/** The text of a line, folded. */
export function printDraft({ group, name, params, value }: LineDraft, lineBreak: string): string {
  const prefix = group === '' ? '' : `${group}.`
  const head = `${prefix}${name}${params.map(({ text }) => `;${text}`).join('')}`
  return `${fold(`${head}:${value}`, lineBreak)}${lineBreak}`
}

/** The line after all steps: as it was written where none changes it. */
export function rewrite(line: ContentLine, steps: readonly Rewrite[]): string {
  if (line.name === '') return line.raw
  const before = draftOf(line)
  const after = steps.reduce((draft, step) => step(draft), before)
  return after === before ? line.raw : printDraft(after, endOf(line))
}

/** A parameter, in quotes where its value needs them; a list of plain values is none that does. */
export function param(name: string, values: readonly string[]): Param {
  const texts = values.map((value) => (/[,;:]/.test(value) ? `"${value.replaceAll('"', "'")}"` : value))
  return { name: name.toLowerCase(), values, text: `${name}=${texts.join()}` }
}

/** Without the parameters of these names. */
export function without(draft: LineDraft, ...names: readonly string[]): LineDraft {
  const params = draft.params.filter(({ name }) => !names.includes(name))
  return params.length === draft.params.length ? draft : { ...draft, params }
}

export const withParam = (draft: LineDraft, added: Param): LineDraft => ({
  ...draft,
  params: [...draft.params, added],
})

export const has = ({ params }: LineDraft, wanted: string): boolean =>
  params.some(({ name }) => name === wanted)

/** The first value of the parameter; empty without one. */
export const first = ({ params }: LineDraft, wanted: string): string => valuesNamed(params, wanted)[0] ?? ''
