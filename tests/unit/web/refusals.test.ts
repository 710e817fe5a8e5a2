import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { refusalTexts as adminTexts } from '../../../src/web/admin/refusal-texts'
import { learnRefusals, refusalSentence } from '../../../src/web/messages/refusals'
import { refusalTexts as settingsTexts } from '../../../src/web/settings/refusal-texts'

const SRC = join(import.meta.dir, '../../../src')

learnRefusals(adminTexts)
learnRefusals(settingsTexts)

/** How services refuse, with a sentence of their own: `conflict('Changed since')`. */
const REFUSAL = /\b(?:badRequest|conflict|forbidden|new AppError)\(\s*(?:'[a-z_]+',\s*)?'([A-Z][^']+)'/g

/** What no control of the client leads to, or what leads to a page or a dialog of its own instead of a sentence. */
const UNSAID = new Set([
  'Invalid logout token',
  'MFA setup required',
  'Not found',
  'Password change required',
  'Session is locked',
  'Settings not found for user',
  'Somebody in this address book has the same UID',
  'Start again without since',
])

test('each sentence with which the service refuses what a person does has words in both languages', async () => {
  const told: string[] = []
  const untold: string[] = []
  for (const file of new Bun.Glob('{access,features}/**/*.ts').scanSync(SRC)) {
    // These speak to /dav alone.
    if (file.startsWith('features/objects/')) continue
    const text = await Bun.file(join(SRC, file)).text()
    for (const [, detail = ''] of text.matchAll(REFUSAL)) {
      if (UNSAID.has(detail)) continue
      told.push(detail)
      const refusal = { status: 409, detail, errors: [], items: [] }
      const isUntold =
        refusalSentence(refusal, 'en') === detail || refusalSentence(refusal, 'de').includes(detail)
      if (isUntold) untold.push(`${file}: ${detail}`)
    }
  }
  expect(untold).toEqual([])
  expect(told.length).toBeGreaterThan(50)
})
