// Settings in the database, which administrators change while the instance runs. They have the names of the environment
// variables, and the environment comes first: a stored value counts only where it sets none.
//
// They are one set, whose version grows with every change. A change is checked together with the environment, as at
// start, before it is stored; the announcement makes every node read it (`follow-settings.ts`).
//
// The document of an engine is a setting as well (ENGINE_DOCUMENT_NOTES). Its engine's settings come and go with it.
//
// Secrets are encrypted with the instance's secret, which `bowerbird backup` leaves out. A PostgreSQL that also holds that
// secret takes none, because a dump of it would hold the key beside the lock.
import { MAX_DOCUMENT_BYTES } from '@bowerbird/engines/documents/read-document.ts'
import type { Engine } from '@bowerbird/engines/engine.ts'
import { ALL_SOURCES } from '@bowerbird/engines/sources/all.ts'
import type { Kysely } from 'kysely'
import { recordEvent } from '../audit/audit-log.ts'
import type { Mistake } from '../config/environment.ts'
import { Refusal } from '../errors.ts'
import type { AdminContext } from '../keys/admin-context.ts'
import { announceSettingsChange } from '../keys/key-changes.ts'
import { getStatements } from '../store/get-statements.ts'
import type { Schema } from '../store/schema.ts'
import { createEncryption } from '../text/cryptography.ts'
import { APPEARANCE_SETTINGS, LONG_SETTINGS } from './appearance.ts'
import { type Configuration, isInstanceSetting } from './configuration.ts'
import { isDocumentSetting, slugOfDocument } from './own-engines.ts'
import { PROVIDER_SETTINGS, secretsOf, settingsOf } from './provider-configuration.ts'
import { editsWithout, isSlotSetting } from './slot-configuration.ts'

export interface StoredSettings {
  /** Grows with every change; 0 before the first. */
  version: number
  values: Readonly<Record<string, string>>
  /** The names of those that are secret. */
  secrets: readonly string[]
  /** Secrets that were encrypted with another secret of the instance. They count as not set until they are set again. */
  unreadable: readonly string[]
}

export interface SettingsStore {
  /** Whether the secret that encrypts keys is kept elsewhere. */
  takesSecrets: boolean
  readVersion: () => Promise<number>
  read: () => Promise<StoredSettings>
  /** An undefined value removes a setting. Refuses what would be a mistake at start. Returns the names that changed. */
  change: (by: AdminContext, edits: Readonly<Record<string, string | undefined>>) => Promise<string[]>
}

/** What a command may change. */
export interface SettingsContext extends AdminContext {
  settings: SettingsStore
}

interface StoreParts {
  db: Kysely<Schema>
  /** What the environment says. */
  configuration: Pick<Configuration, 'withStored' | 'isFixed' | 'instanceSecret' | 'databaseUrl'>
  /** Called only if there is a secret to encrypt or decrypt. */
  readInstanceSecret: () => Promise<string>
  randomBytes: (size: number) => Uint8Array
}

type Content = Record<string, string | { encrypted: string }>

/** The other settings that can be stored: what is in force on every node as soon as it changes. */
const OTHER_SETTINGS = new Set([
  ...Object.keys(APPEARANCE_SETTINGS.shape),
  'CALIBRATED_WEIGHTS',
  'ENGINES_OFF',
  'INSTANCE_NAME',
  'KEYLESS_ENGINES',
  'MINE',
  'OPERATOR_CONTACT',
  'SITE_ACCESS',
  'SUGGEST',
])

/** `engines` are those that the settings know, with the operator's own. */
function storableWith(engines: readonly Engine[]): (name: string) => boolean {
  const ofEngines = settingsOf(engines)
  return (name) =>
    isSlotSetting(name) ||
    isDocumentSetting(name) ||
    OTHER_SETTINGS.has(name) ||
    PROVIDER_SETTINGS.has(name) ||
    ofEngines.has(name)
}

/** Without a backtick, any value can be quoted in an env file. */
const VALUE = /^[^\p{Cc}`]{1,4000}$/u
const LINES = /^(?:[^\p{Cc}`]|[\n\t])+$/u
/** An arbitrary number that no other lock in this database has. */
const LOCK_ID = '3853314791062309108'

export function createSettingsStore(parts: StoreParts): SettingsStore {
  const { db, configuration, readInstanceSecret, randomBytes } = parts
  const openEncryption = async () => createSettingsEncryption(await readInstanceSecret(), randomBytes)
  const enginesIn = (content: Content) => configuration.withStored(documentsIn(content)).allEngines
  const decrypt = (content: Content, encryption: SettingsEncryption | undefined) =>
    decryptKnown(content, enginesIn(content), encryption)

  const takesSecrets = configuration.instanceSecret !== undefined || configuration.databaseUrl === undefined

  function applyEdits(
    content: Content,
    edits: Readonly<Record<string, string | undefined>>,
    { encrypt }: SettingsEncryption,
  ): Content {
    // Those of before are known, too: their settings can be removed.
    const engines = enginesIn({ ...content, ...valuesIn(edits) })
    const isStorable = storableWith(engines)
    const secrets = secretsOf([...engines, ...ALL_SOURCES])
    const next = withoutSettingsOf(content, edits, engines)
    for (const [name, value] of Object.entries(edits)) {
      if (!isStorable(name)) throw notStorable(name)
      if (value === undefined) delete next[name]
      else if (!secrets.has(name)) next[name] = value.trim()
      else if (!takesSecrets) throw noSecretOfItsOwn()
      else next[name] = { encrypted: encrypt(value.trim(), name) }
    }
    return next
  }

  return {
    takesSecrets,
    async readVersion() {
      const row = await db.selectFrom('settings').select('version').executeTakeFirst()
      return Number(row?.version ?? 0)
    },
    async read() {
      const { version, content } = await readStored(db)
      const hasSecrets = Object.values(content).some((value) => typeof value !== 'string')
      return { version, ...decrypt(content, hasSecrets ? await openEncryption() : undefined) }
    },
    async change(by, edits) {
      for (const [name, value] of Object.entries(edits)) refuseEdit(name, value, configuration)
      // Not in the transaction: the built-in database has one connection.
      const encryption = await openEncryption()
      const changed = await db.transaction().execute(async (transaction) => {
        await getStatements(transaction).lock(transaction, LOCK_ID)
        const { version, content } = await readStored(transaction)
        const next = applyEdits(content, edits, encryption)
        const [before, after] = [decrypt(content, encryption), decrypt(next, encryption)]
        const names = differences(before, after)
        if (names.length === 0) return names
        refuseNewMistakes(mistakesOf(configuration, before.values), mistakesOf(configuration, after.values))
        const row = { version: String(version + 1), content: JSON.stringify(next) }
        await transaction
          .insertInto('settings')
          .values(row)
          .onConflict((conflict) => conflict.column('is_only').doUpdateSet(row))
          .execute()
        // All of them are names of ours, in capitals.
        const detail = names.join(' ') as Uppercase<string>
        await recordEvent({ ...by, db: transaction }, { event: 'settings-changed', detail })
        return names
      })
      if (changed.length > 0) announceSettingsChange(by.changes)
      return changed
    },
  }
}

interface Version {
  version: number
  content: Content
}

const valuesIn = (edits: Readonly<Record<string, string | undefined>>): Content =>
  Object.fromEntries(
    Object.entries(edits).flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]])),
  )

function documentsIn(content: Content): Record<string, string> {
  const texts = Object.entries(content).flatMap(([name, value]) =>
    isDocumentSetting(name) && typeof value === 'string' ? [[name, value] as const] : [],
  )
  return Object.fromEntries(texts)
}

/**
 * The content without what belongs to engines whose documents come or go with these edits: their settings and their places.
 * Of a new one there is nothing, unless an invalid document was removed: its key must not go to another one's address.
 */
function withoutSettingsOf(
  content: Content,
  edits: Readonly<Record<string, string | undefined>>,
  engines: readonly Engine[],
): Content {
  const names = Object.keys(edits).filter(isDocumentSetting)
  const slugs = names
    .filter((name) => (content[name] === undefined) !== (edits[name] === undefined))
    .map(slugOfDocument)
  const settings = settingsOf(engines.filter(({ slug }) => slugs.includes(slug)))
  const next = Object.fromEntries(Object.entries(content).filter(([name]) => !settings.has(name)))
  for (const slug of slugs) {
    for (const [name, value] of Object.entries(editsWithout(slug, next))) {
      if (value === undefined) delete next[name]
      else next[name] = value
    }
  }
  return next
}

function decryptKnown(
  content: Content,
  engines: readonly Engine[],
  encryption: SettingsEncryption | undefined,
): Opened {
  const values: Record<string, string> = {}
  const secrets: string[] = []
  const unreadable: string[] = []
  const isStorable = storableWith(engines)
  // A newer version may have stored others.
  for (const [name, value] of Object.entries(content).filter(([name]) => isStorable(name))) {
    const plain = typeof value === 'string' ? value : encryption?.decrypt(value.encrypted, name)
    if (plain === undefined) unreadable.push(name)
    else values[name] = plain
    if (plain !== undefined && typeof value !== 'string') secrets.push(name)
  }
  return { values, secrets, unreadable }
}

async function readStored(db: Kysely<Schema>): Promise<Version> {
  const row = await db.selectFrom('settings').select(['version', 'content']).executeTakeFirst()
  return { version: Number(row?.version ?? 0), content: row?.content ?? {} }
}

type Opened = Omit<StoredSettings, 'version'>

/** The same secret may be encrypted differently. */
const differences = (before: Opened, after: Opened): string[] =>
  [...new Set([before, after].flatMap(({ values, unreadable }) => [...Object.keys(values), ...unreadable]))]
    .filter((name) => {
      const isSame = before.values[name] === after.values[name]
      return !isSame || before.unreadable.includes(name) !== after.unreadable.includes(name)
    })
    .toSorted()

const notStorable = (name: string): Refusal =>
  new Refusal(
    'parameter_invalid',
    /^[A-Z][A-Z\d_]{0,60}$/.test(name)
      ? `${name} cannot be stored in the database. If it is a setting, set it in the environment and restart.`
      : 'This is not the name of a setting, which is in capitals. docs/reference/settings.md lists them.',
  )

/** Whether it has the form of a setting of an engine, which only the set that is in force may know. */
const isPerhapsOfEngine = (name: string): boolean =>
  /^[A-Z][A-Z\d]{1,30}_[A-Z\d_]{1,60}$/.test(name) && !isInstanceSetting(name)

/** What can be told before the database is asked. */
function refuseEdit(name: string, value: string | undefined, { isFixed }: StoreParts['configuration']): void {
  if (!storableWith([])(name) && !isPerhapsOfEngine(name)) throw notStorable(name)
  if (value === undefined) return
  if (isFixed(name)) {
    throw new Refusal('conflict', `${name} is set in the environment, which comes first. Change it there and restart.`)
  }
  if (isDocumentSetting(name)) {
    if (Buffer.byteLength(value) <= MAX_DOCUMENT_BYTES) return
    throw new Refusal('parameter_invalid', `${name} is larger than 64 kB.`)
  }
  const most = LONG_SETTINGS.get(name)
  if (most !== undefined) {
    if (value.length <= most && LINES.test(value)) return
    throw new Refusal('parameter_invalid', `${name} must have at most ${most} characters, without a backtick.`)
  }
  if (!VALUE.test(value.trim()))
    throw new Refusal('parameter_invalid', `${name} must be one line of at most 4000 characters, without a backtick.`)
}

const noSecretOfItsOwn = (): Refusal =>
  new Refusal(
    'conflict',
    'A key is stored only if the secret that encrypts it is kept elsewhere. Set INSTANCE_SECRET on every node first; docs/operate/upgrade-and-backup.md says how.',
  )

function mistakesOf({ withStored }: StoreParts['configuration'], values: StoredSettings['values']): readonly Mistake[] {
  const { verdict } = withStored(values)
  return verdict.ok ? [] : verdict.mistakes
}

/** Mistakes that are there already, perhaps since the environment has changed, must not keep anyone from mending one. */
function refuseNewMistakes(before: readonly Mistake[], after: readonly Mistake[]): void {
  const sentences = ({ env, message }: Mistake) => `${env} ${message}`
  const known = new Set(before.map(sentences))
  const added = after.map(sentences).filter((sentence) => !known.has(sentence))
  if (added.length > 0) throw new Refusal('parameter_invalid', added.join('\n'))
}

type SettingsEncryption = ReturnType<typeof createSettingsEncryption>

/** A ciphertext is bound to its name: moved to another setting, it can't be decrypted. */
function createSettingsEncryption(instanceSecret: string, randomBytes: StoreParts['randomBytes']) {
  const encryption = createEncryption(instanceSecret, 'bowerbird settings', randomBytes)
  return {
    encrypt: (text: string, name: string) => encryption.encrypt(Buffer.from(text), name).toString('base64'),
    /** Undefined if it was encrypted with another secret. */
    decrypt: (encrypted: string, name: string) =>
      encryption.decrypt(Buffer.from(encrypted, 'base64'), name)?.toString(),
  }
}

interface Secrets {
  from: string
  to: string
  randomBytes: StoreParts['randomBytes']
}

/** Encrypts what is stored with another secret. What can't be decrypted stays as it is. */
export async function reencryptSettings(db: Kysely<Schema>, { from, to, randomBytes }: Secrets): Promise<void> {
  const [old, next] = [createSettingsEncryption(from, randomBytes), createSettingsEncryption(to, randomBytes)]
  const { content } = await readStored(db)
  const entries = Object.entries(content).map(([name, value]) => {
    const plain = typeof value === 'string' ? undefined : old.decrypt(value.encrypted, name)
    return [name, plain === undefined ? value : { encrypted: next.encrypt(plain, name) }]
  })
  await db
    .updateTable('settings')
    .set({ content: JSON.stringify(Object.fromEntries(entries)) })
    .execute()
}
