// Services that one person alone searches: an address and a token for one of the engines that find private things. Their
// searches are in `compose/person-searches.ts`.
//
// All settings of a service are encrypted together with the instance's secret, for their owner and engine: in another row
// they can't be decrypted. They are always entered together, so that a stored token is never sent to a new address. Like
// keys of providers, they are only kept where that secret isn't in the same database (`stored-settings.ts`).
import type { Engine, EngineSettings } from '@bowerbird/engines/engine.ts'
import type { SettingValues } from '@bowerbird/engines/setting.ts'
import type { Kysely } from 'kysely'
import { recordEvent } from '../audit/audit-log.ts'
import type { AdminContext } from '../keys/admin-context.ts'
import { announceUserChange } from '../keys/key-changes.ts'
import type { Schema } from '../postgres/schema.ts'
import { createEncryption } from '../text/cryptography.ts'
import { judgeAddress, parseAddress } from './service-addresses.ts'

export interface PersonService {
  id: string
  slug: string
  /** undefined: this instance doesn't know such an engine any more. */
  engine: Engine | undefined
  /** undefined: they were encrypted with another secret of the instance. */
  settings: SettingValues<EngineSettings> | undefined
}

/**
 * missing     it is required
 * unreadable  it has several lines, is too long, or isn't one of the choices
 * address     it isn't a URL
 * notAllowed  the operator doesn't allow this address
 */
export type ServiceMistake = 'missing' | 'unreadable' | 'address' | 'notAllowed'

/** The id of the service, or why it wasn't saved: by setting, or because there are too many. */
export type SavedService =
  | { ok: true; id: string }
  | { ok: false; mistakes: Readonly<Record<string, ServiceMistake>> | 'full' }

export interface NewService {
  /** Which one it replaces; undefined: none. */
  id: string | undefined
  engine: Engine
  /** As typed, by the name of the setting. */
  given: Readonly<Record<string, string>>
}

export interface PersonServices {
  /** Whether tokens can be kept. */
  canStore: boolean
  /** The engines that a service can be of. */
  presets: () => readonly Engine[]
  /** Oldest first. */
  list: (userId: string) => Promise<PersonService[]>
  save: (by: AdminContext, userId: string, service: NewService) => Promise<SavedService>
  remove: (by: AdminContext, userId: string, id: string) => Promise<void>
}

interface ServicesParts {
  db: Kysely<Schema>
  canStore: boolean
  allEngines: () => readonly Engine[]
  /** Hosts that need not be public. */
  allowedHosts: () => readonly string[]
  instanceSecret: string
  randomBytes: (size: number) => Uint8Array
}

export const MAX_SERVICES = 10
const MAX_LENGTH = 1_000
const LINE = /^[^\p{Cc}]*$/u

export function createPersonServices(parts: ServicesParts): PersonServices {
  const { db, canStore, allEngines, allowedHosts, instanceSecret, randomBytes } = parts
  const encryption = createServiceEncryption(instanceSecret, randomBytes)
  return {
    canStore,
    presets: () => allEngines().filter(isPreset),
    async list(userId) {
      const rows = await db
        .selectFrom('person_services')
        .select(['id', 'engine', 'sealed_settings'])
        .where('user_id', '=', userId)
        .orderBy('id')
        .execute()
      return rows.map(({ id, engine: slug, sealed_settings }) => {
        const engine = allEngines().find((known) => known.slug === slug && isPreset(known))
        const stored = encryption.decrypt(sealed_settings, ownerOf(userId, slug))
        return { id, slug, engine, settings: stored && engine && withDefaults(engine, stored) }
      })
    },
    async save(by, userId, { id, engine, given }) {
      const checked = checkService(engine, given, allowedHosts())
      if (!checked.ok) return checked
      const { slug } = engine
      const row = { engine: slug, sealed_settings: encryption.encrypt(checked.settings, ownerOf(userId, slug)) }
      const saved = await by.db.transaction().execute(async (transaction) => {
        // Holds up others of this user, so that they can't pass the limit together.
        await transaction.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute()
        const theirs = await transaction
          .selectFrom('person_services')
          .select('id')
          .where('user_id', '=', userId)
          .execute()
        const isKnown = theirs.some((service) => service.id === id)
        if (!isKnown && theirs.length >= MAX_SERVICES) return undefined
        const written = isKnown
          ? await transaction
              .updateTable('person_services')
              .set(row)
              .where('id', '=', id ?? '')
              .returning('id')
              .executeTakeFirstOrThrow()
          : await transaction
              .insertInto('person_services')
              .values({ user_id: userId, ...row })
              .returning('id')
              .executeTakeFirstOrThrow()
        await recordEvent({ ...by, db: transaction }, { event: 'services-changed', userId })
        return written.id
      })
      if (saved === undefined) return { ok: false, mistakes: 'full' }
      announceUserChange(by.changes, userId)
      return { ok: true, id: saved }
    },
    async remove(by, userId, id) {
      await by.db.transaction().execute(async (transaction) => {
        const removed = await transaction
          .deleteFrom('person_services')
          .where('id', '=', id)
          .where('user_id', '=', userId)
          .returning('id')
          .executeTakeFirst()
        if (removed) await recordEvent({ ...by, db: transaction }, { event: 'services-changed', userId })
      })
      announceUserChange(by.changes, userId)
    },
  }
}

/** It finds private things at an address that has to be named. */
const isPreset = ({ isPrivate, tabs, settings }: Engine): boolean =>
  isPrivate === true && tabs.web !== undefined && settings.baseUrl.fallback === undefined

/** Each declared setting then has a value. */
const withDefaults = ({ settings }: Engine, stored: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(settings).map(([name, { fallback = '' }]) => [name, stored[name] ?? fallback]),
  ) as SettingValues<EngineSettings>

type CheckedService =
  | { ok: true; settings: Record<string, string> }
  | { ok: false; mistakes: Record<string, ServiceMistake> }

/** The settings that are given, or what is wrong with each. */
function checkService(engine: Engine, given: NewService['given'], allowed: readonly string[]): CheckedService {
  const settings: Record<string, string> = {}
  const mistakes: Record<string, ServiceMistake> = {}
  for (const [name, { fallback, oneOf }] of Object.entries(engine.settings)) {
    const value = given[name]?.trim() ?? ''
    const mistake =
      value === ''
        ? fallback === undefined && 'missing'
        : value.length > MAX_LENGTH || !LINE.test(value) || oneOf?.includes(value) === false
          ? 'unreadable'
          : addressMistake(name, value, allowed)
    if (mistake) mistakes[name] = mistake
    else if (value !== '') settings[name] = value
  }
  return Object.keys(mistakes).length > 0 ? { ok: false, mistakes } : { ok: true, settings }
}

function addressMistake(name: string, value: string, allowed: readonly string[]): ServiceMistake | undefined {
  if (name !== 'baseUrl' && name !== 'linkUrl') return undefined
  const url = parseAddress(value)
  if (!url) return 'address'
  // Nobody but the reader's browser opens the other.
  return name === 'baseUrl' && judgeAddress(url, allowed) === 'refused' ? 'notAllowed' : undefined
}

const ownerOf = (userId: string, slug: string): string => `${userId} ${slug}`

function createServiceEncryption(instanceSecret: string, randomBytes: ServicesParts['randomBytes']) {
  const encryption = createEncryption(instanceSecret, 'bowerbird services of people', randomBytes)
  return {
    encrypt: (settings: Readonly<Record<string, string>>, owner: string) =>
      encryption.encrypt(Buffer.from(JSON.stringify(settings)), owner),
    /** Undefined if they were encrypted with another secret, or for another owner. */
    decrypt(sealed: Uint8Array, owner: string): Record<string, string> | undefined {
      const text = encryption.decrypt(sealed, owner)
      return text && JSON.parse(text.toString())
    },
  }
}

interface Secrets {
  from: string
  to: string
  randomBytes: ServicesParts['randomBytes']
}

/** Encrypts every service with another secret of the instance. What can't be decrypted stays as it is. */
export async function reencryptServices(db: Kysely<Schema>, { from, to, randomBytes }: Secrets): Promise<void> {
  const [old, next] = [createServiceEncryption(from, randomBytes), createServiceEncryption(to, randomBytes)]
  const rows = await db.selectFrom('person_services').select(['id', 'user_id', 'engine', 'sealed_settings']).execute()
  for (const { id, user_id, engine, sealed_settings } of rows) {
    const owner = ownerOf(user_id, engine)
    const settings = old.decrypt(sealed_settings, owner)
    if (!settings) continue
    const sealed = next.encrypt(settings, owner)
    await db.updateTable('person_services').set({ sealed_settings: sealed }).where('id', '=', id).execute()
  }
}
