// The command line as tests run it: in this process, with captured output and whatever host the test gives.
import { randomBytes } from 'node:crypto'
import { Readable, Writable } from 'node:stream'
import { Kysely, SqliteDialect } from 'kysely'
import { expect } from 'vitest'
import { CHEAP_PASSWORDS } from '../../test/support/cheap-passwords.ts'
import { Refusal } from '../errors.ts'
import type { AdminContext } from '../keys/admin-context.ts'
import { createLocalChangeBus } from '../keys/key-changes.ts'
import { createLog } from '../log.ts'
import { readConfiguration, requireConfiguration } from '../settings/configuration.ts'
import { createSettingsStore, type SettingsContext } from '../settings/stored-settings.ts'
import type { Schema } from '../store/schema.ts'
import type { CliHost } from './cli-host.ts'
import { runCli } from './program.ts'

class Captured extends Writable {
  text = ''

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString()
    done()
  }
}

/** Adds the settings in its database, for an instance whose environment sets nothing. */
export const withSettings = (access: AdminContext): SettingsContext => ({
  ...access,
  settings: createSettingsStore({
    db: access.db,
    configuration: requireConfiguration(readConfiguration({})),
    readInstanceSecret: async () => 'a secret of at least 32 characters',
    randomBytes,
  }),
})

/** A database that is away: what is sent must be refused before it is asked. */
export const databaseAway: SettingsContext = withSettings({
  db: new Kysely<Schema>({
    dialect: new SqliteDialect({ database: () => Promise.reject(new Error('no database for canary-name')) }),
  }),
  clock: () => Date.UTC(2026, 10, 15),
  randomBytes: (size) => new Uint8Array(size),
  changes: createLocalChangeBus(),
  log: createLog('silent'),
  passwordCost: CHEAP_PASSWORDS,
})

export function hostWith(changes: Partial<CliHost> = {}) {
  const stdout = new Captured()
  const stderr = new Captured()
  const host: CliHost = {
    onData: (work) => work(),
    openAccess: async () => ({ access: databaseAway, close: () => Promise.resolve() }),
    dataFolder: '/nowhere',
    systemUser: 'uid 0, ada',
    serve: () => Promise.resolve(),
    demo: () => Promise.resolve(),
    migrate: () => Promise.resolve([]),
    diagnose: () => Promise.resolve([]),
    checkHealth: () => Promise.resolve({ isReady: true, sentence: 'Ready.' }),
    listEngines: () => [],
    checkEngineFile: () => ({ ok: false, mistakes: ['There is no file here.'] }),
    rotateSecret: () => Promise.resolve(),
    tryEngine: () => Promise.reject(new Refusal('parameter_invalid', 'There is no engine here.')),
    describeConfiguration: () => ({
      settings: [],
      mistakes: [],
      slots: [],
      sources: [],
      storage: { database: '', shared: '' },
    }),
    stdin: Readable.from([]),
    stdout,
    stderr,
    ...changes,
  }
  return { host, stdout, stderr }
}

/** `line` is split at spaces. */
export async function bowerbird(line: string, changes: Partial<CliHost> = {}) {
  const { host, stdout, stderr } = hostWith(changes)
  const code = await runCli(line.split(' ').filter(Boolean), host)
  return { code, out: stdout.text, err: stderr.text }
}

/** What a script gets: exactly one line of JSON, and no error. */
export async function json(line: string, changes: Partial<CliHost> = {}): Promise<Record<string, unknown>> {
  const { code, out, err } = await bowerbird(`${line} --json`, changes)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out.indexOf('\n')).toBe(out.length - 1)
  return JSON.parse(out)
}

export const typed = (text: string) => ({ stdin: Readable.from([Buffer.from(text)]) })
