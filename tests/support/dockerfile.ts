const DOCKERFILE = new URL('../../Dockerfile', import.meta.url)

/** The instructions of the Dockerfile in their order, with continued lines joined. */
const instructions = async () =>
  (await Bun.file(DOCKERFILE).text())
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [name = '', ...rest] = line.split(' ')
      return { name, text: rest.join(' ') }
    })

const execForm = (text: string): string[] => JSON.parse(text.slice(text.indexOf('[')))

/** What the image is made of and how it runs. */
export async function dockerfile() {
  const all = await instructions()
  const texts = (name: string) => all.filter((one) => one.name === name).map(({ text }) => text)
  const last = (name: string) => texts(name).at(-1) ?? ''
  return {
    /** Paths out of the repository. */
    copied: texts('COPY')
      .filter((text) => !text.startsWith('--from='))
      .flatMap((text) => text.split(' ').slice(0, -1)),
    run: texts('RUN'),
    env: Object.fromEntries(
      texts('ENV').map((text) => [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)]),
    ),
    port: last('EXPOSE'),
    user: last('USER'),
    healthcheck: execForm(last('HEALTHCHECK')),
    command: execForm(last('CMD')),
  }
}
