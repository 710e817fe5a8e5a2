import { systemClock } from '../adapters/clock'
import { openDatabase } from '../adapters/database-source'
import { createPasswordHasher } from '../adapters/password-hasher'
import { systemRandom } from '../adapters/random'
import { readConfig, refuseMissingDatabase, reportFailure } from './command'
import { connect, type Db } from '../db/client'
import { isMigrated } from '../db/migrations'
import type { Deps } from '../deps'
import { renewEpoch } from '../access/journal/service'
import type { Administrator } from '../features/identity/administrators/service'
import * as users from '../features/administration/users/service'
import { findUserId } from '../features/administration/directory/service'
import { databaseFailure } from '../lib/database-failure'

type CommandDeps = Pick<Deps, 'config' | 'db' | 'clock' | 'random' | 'hasher'>

/** The command has no session and no address to record in the audit log. */
const OPERATOR: Administrator = { session: null, ip: 'unknown' }

interface Command {
  readonly help: string
  /** Returns the lines to print. */
  readonly run: (deps: CommandDeps, userId: number, username: string) => Promise<readonly string[]>
}

/** A command that concerns no single user. */
interface GeneralCommand {
  readonly help: string
  readonly runForAll: (deps: CommandDeps) => Promise<readonly string[]>
}

const COMMANDS: Readonly<Record<string, Command | GeneralCommand>> = {
  'reset-password': {
    help: 'a temporary password, on the last line, for 72 hours; ends locks, sessions, feeds, access tokens, passwordless sign-in',
    run: async (deps, userId, username) => {
      const { temporary_password, expires_at } = await users.resetPassword(deps, OPERATOR, userId)
      return [
        `Until ${expires_at}, ${username} can sign in with this and choose a new one:`,
        temporary_password,
      ]
    },
  },
  unlock: {
    help: 'ends the locks by wrong passwords and wrong second factors',
    run: async (deps, userId, username) => {
      await users.unlockUser(deps, OPERATOR, userId)
      return [`${username} is not locked any more.`]
    },
  },
  activate: {
    help: 'enables a disabled account',
    run: async (deps, userId, username) => {
      await users.changeActive(deps, OPERATOR, userId, true)
      return [`${username} is active.`]
    },
  },
  'disable-mfa': {
    help: 'takes the authenticator and its backup codes away; ends the sessions',
    run: async (deps, userId, username) => {
      await users.disableMfa(deps, OPERATOR, userId)
      return [`${username} has no second factor any more.`]
    },
  },
  'disable-passwordless': {
    help: 'lets the user sign in with the password again; ends the sessions',
    run: async (deps, userId, username) => {
      await users.changePasswordless(deps, OPERATOR, userId, false)
      return [`${username} can sign in with a password.`]
    },
  },
  'new-epoch': {
    help: 'after a restore by other means than bun run restore: clients that synchronise start again',
    runForAll: async (deps) => {
      await renewEpoch(deps)
      return ['Clients that synchronise start again.']
    },
  },
}

const HELP = `Usage: bun run admin <command> <username>
       bun run admin new-epoch

For whoever runs the service, when nobody can sign in any more. It works on the database that the service uses, given the
same environment, whether the service runs or not, and writes to the audit log.

${Object.entries(COMMANDS)
  .map(([name, { help }]) => `  ${name.padEnd(22)}${help}`)
  .join('\n')}`

/** The typed text without control characters, which a terminal would execute. */
const printable = (text: string) => text.replaceAll(/\p{Cc}/gu, '')

const MISSING_TABLE = /^(?:42P01|3F000)$/

async function refuseOutdated(db: Db): Promise<void> {
  const isCurrent = await isMigrated(db).catch((error: unknown) => {
    if (MISSING_TABLE.test(databaseFailure(error)?.code ?? '')) return false
    throw error
  })
  if (!isCurrent) throw new Error('The database is not up to date: start the service once.')
}

async function runOn(command: Command | GeneralCommand, username: string): Promise<readonly string[]> {
  const config = readConfig()
  refuseMissingDatabase(config)
  await using resources = new AsyncDisposableStack()
  const database = await openDatabase(config.database, (line) => console.info(line))
  resources.defer(() => database.stop())
  const { prepare, directUrl } = config.database
  const { db, close } = connect(database.url, { pool: 1, prepare, sessionTimeouts: directUrl === undefined })
  resources.defer(close)
  const hasher = createPasswordHasher({ engine: config.password.hasher, workers: 1 })
  resources.defer(() => hasher.close())
  await refuseOutdated(db)
  const deps = { config, db, clock: systemClock, random: systemRandom, hasher }
  // Awaited here, because the database connection closes when this function returns.
  if ('runForAll' in command) return await command.runForAll(deps)
  const userId = await findUserId({ db }, username)
  if (userId === undefined) throw new Error(`There is no user ${printable(username)}.`)
  return await command.run(deps, userId, username)
}

/** @throws {Error} unless a command for a user names one, and another command nobody. */
function refuseMissingUser(name: string, command: Command | GeneralCommand, given: readonly string[]): void {
  if ('run' in command && given.length !== 1)
    throw new Error(`Name one user: bun run admin ${name} <username>`)
  if ('runForAll' in command && given.length > 0) throw new Error(`Name no user: bun run admin ${name}`)
}

async function main(args: readonly string[]): Promise<void> {
  const [name, ...given] = args
  const asksForHelp = args.some((arg) => arg === '--help' || arg === '-h')
  if (name === 'help' || asksForHelp) return console.info(HELP)
  if (name === undefined) throw new Error(HELP)
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!command) throw new Error(`There is no command ${printable(name)}.\n\n${HELP}`)
  refuseMissingUser(name, command, given)
  for (const line of await runOn(command, (given[0] ?? '').trim())) console.info(line)
}

await main(Bun.argv.slice(2)).catch(reportFailure)
