const DOCKERFILE = new URL('../../Dockerfile', import.meta.url)

interface Instruction {
  readonly name: string
  readonly text: string
}

/** One stage of the build: its name, empty for the image itself, and its instructions in their order. */
export interface Stage {
  readonly name: string
  readonly instructions: readonly Instruction[]
}

/** Continued lines are joined; comments are left out. */
const instructionsOf = (text: string): Instruction[] =>
  text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [name = '', ...rest] = line.split(' ')
      return { name, text: rest.join(' ') }
    })

function stagesOf(text: string): Stage[] {
  const stages: Array<{ name: string; instructions: Instruction[] }> = []
  for (const one of instructionsOf(text)) {
    if (one.name === 'FROM') stages.push({ name: / AS (\S+)/.exec(one.text)?.[1] ?? '', instructions: [] })
    else stages.at(-1)?.instructions.push(one)
  }
  return stages
}

/** A `COPY`: out of the repository, or out of the working folder of an earlier stage. */
export function copyOf({ text }: Instruction) {
  const [, from, rest = ''] = /^(?:--from=(\S+) )?(.*)$/.exec(text) ?? []
  const names = rest.split(' ').map((name) => name.replace(/^\/app\//, ''))
  return { from, sources: names.slice(0, -1) }
}

const execForm = (text: string): string[] => JSON.parse(text.slice(text.indexOf('[')))

/** What the image is made of and how it runs. */
export async function dockerfile() {
  const stages = stagesOf(await Bun.file(DOCKERFILE).text())
  const all = stages.flatMap(({ instructions }) => instructions)
  const texts = (name: string) => all.filter((one) => one.name === name).map(({ text }) => text)
  const last = (name: string) => texts(name).at(-1) ?? ''
  const copies = all.filter(({ name }) => name === 'COPY').map(copyOf)
  return {
    stages,
    /** Paths out of the repository. */
    copied: copies.filter(({ from }) => from === undefined).flatMap(({ sources }) => sources),
    env: Object.fromEntries(
      texts('ENV').map((text) => [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)]),
    ),
    port: last('EXPOSE'),
    user: last('USER'),
    healthcheck: execForm(last('HEALTHCHECK')),
    command: execForm(last('CMD')),
  }
}
