// Engines for services of the operator's own, which administrators set up on the website: the presets that come with
// Bowerbird and need an address, and the engines of the operator's own documents.
//
// Whoever sets an address receives the key that is sent there, and an administrator must not get one that somebody else
// has entered. So a new address comes with every secret of the engine: a stored one is replaced or removed in the same
// change, and an engine whose secret is in the environment takes no address here.
import { type Engine, TABS, type Tab } from '@bowerbird/engines/engine.ts'
import type { Setting } from '@bowerbird/engines/setting.ts'
import type { AdminContext } from '../keys/admin-context.ts'
import type { Configuration } from './configuration.ts'
import { freeSlots, slotSetting } from './engine-settings.ts'
import { documentSettingOf } from './own-engines.ts'
import { isServiceAddress, settingsOf } from './provider-configuration.ts'
import { editsWithout } from './slot-configuration.ts'

export interface ServiceField {
  /** The name of the setting. */
  setting: string
  kind: 'address' | 'link' | 'secret' | 'other'
  isRequired: boolean
  oneOf: readonly string[] | undefined
  /** What counts if it isn't set; '' if nothing does, and for a secret. */
  fallback: string
  /** '' if it isn't stored; never that of a secret. */
  value: string
  /** undefined: it isn't set. */
  origin: 'environment' | 'database' | undefined
}

export interface ServiceEngine {
  slug: string
  name: string
  homepage: string
  isPrivate: boolean
  /** The first tab that it serves. */
  tab: Tab | undefined
  /** `preset`: comes with Bowerbird. `folder`: from ENGINES_DIR. `document`: from a setting in the database. */
  origin: 'preset' | 'folder' | 'document'
  /** Whether MINE or a slot names it. */
  isUsed: boolean
  /** The setting of the environment that names it, and so keeps it. */
  keptBy: string | undefined
  fields: readonly ServiceField[]
}

export type Edits = Readonly<Record<string, string | undefined>>

export interface ServiceEngines {
  /** Whether keys can be kept in the database: see `stored-settings.ts`. */
  canStore: boolean
  list: () => ServiceEngine[]
  /** What has to change so that it is used with these values. */
  editsFor: (engine: ServiceEngine, values: Edits) => ServiceEdits
  remove: (engine: ServiceEngine) => Edits
  /** On this node the change is in force when this resolves. */
  save: (edits: Edits, by: AdminContext) => Promise<void>
}

export type ServiceProblem = 'missing' | 'again' | 'notAnAddress' | 'notOneOf' | 'secretInEnvironment'

export type ServiceEdits =
  | { ok: true; edits: Edits }
  /** By the name of the setting. */
  | { ok: false; problems: Readonly<Record<string, ServiceProblem>> }
  /** There is no place for it: the environment sets MINE, or every slot is taken. */
  | { ok: false; problems: 'mine' | 'slots' }

type Bindings = Pick<Configuration, 'allEngines' | 'documents' | 'slots' | 'mine' | 'isFixed'>

interface Known {
  /** What is in force. */
  configuration: Bindings
  /** The stored settings. */
  stored: Readonly<Record<string, string>>
  /** The names of the secrets that are stored. */
  secrets: readonly string[]
  /** The engines of ENGINES_DIR. */
  isFromFolder: (slug: string) => boolean
}

export const listServiceEngines = (known: Known): ServiceEngine[] =>
  known.configuration.allEngines
    .filter(
      ({ slug, settings }) =>
        settings.baseUrl.fallback === undefined || known.isFromFolder(slug) || known.configuration.documents.has(slug),
    )
    .map((engine) => serviceEngine(engine, known))
    .toSorted((one, other) => one.name.localeCompare(other.name, 'en'))

function serviceEngine(engine: Engine, { configuration, stored, secrets, isFromFolder }: Known): ServiceEngine {
  const { slug, name, homepage, isPrivate, tabs, settings } = engine
  const { documents, isFixed } = configuration
  const places = placesOf(slug, configuration)
  const fields = Object.entries<Setting>(settings).map(([member, { env, isSecret, fallback, oneOf }]): ServiceField => {
    const isStored = env in stored || secrets.includes(env)
    return {
      setting: env,
      kind: isSecret ? 'secret' : member === 'baseUrl' ? 'address' : member === 'linkUrl' ? 'link' : 'other',
      isRequired: fallback === undefined,
      oneOf,
      fallback: isSecret ? '' : (fallback ?? ''),
      value: isSecret ? '' : (stored[env] ?? ''),
      origin: isFixed(env) ? 'environment' : isStored ? 'database' : undefined,
    }
  })
  return {
    slug,
    name,
    homepage,
    isPrivate: isPrivate === true,
    tab: TABS.find((tab) => tab in tabs),
    origin: documents.has(slug) ? 'document' : isFromFolder(slug) ? 'folder' : 'preset',
    isUsed: places.length > 0,
    keptBy: places.find(isFixed),
    // The address first, then what is sent there.
    fields: fields.toSorted((one, other) => ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind)),
  }
}

const ORDER: readonly ServiceField['kind'][] = ['address', 'link', 'other', 'secret']

/** The settings that name it. */
const placesOf = (slug: string, { mine, slots }: Pick<Bindings, 'mine' | 'slots'>): string[] => [
  ...(mine.includes(slug) ? ['MINE'] : []),
  ...[...slots]
    .filter(([, binding]) => Object.values(binding).flat().includes(slug))
    .map(([slot]) => slot.toUpperCase()),
]

/** Only what is different: a value that stays the same may have been replaced meanwhile, with its key. */
export function editsForService(engine: ServiceEngine, values: Edits, { configuration }: Known): ServiceEdits {
  const { fields } = engine
  const open = fields.filter(({ origin }) => origin !== 'environment')
  const given = (field: ServiceField) => values[field.setting]?.trim() ?? ''
  const isMoved = open.some((field) => field.kind === 'address' && given(field) !== field.value)
  const problems: Record<string, ServiceProblem> = {}
  for (const field of open) {
    const problem = problemOf(field, given(field), isMoved)
    if (problem) problems[field.setting] = problem
  }
  const inEnvironment = fields.find(({ kind, origin }) => kind === 'secret' && origin === 'environment')
  const address = open.find(({ kind }) => kind === 'address')
  if (isMoved && inEnvironment && address) problems[address.setting] = 'secretInEnvironment'
  if (Object.keys(problems).length > 0) return { ok: false, problems }
  const place = placeFor(engine, configuration)
  if (place === 'mine' || place === 'slots') return { ok: false, problems: place }
  const changed = open.filter((field) =>
    field.kind === 'secret' ? isMoved || given(field) !== '' : given(field) !== field.value,
  )
  return {
    ok: true,
    edits: {
      ...Object.fromEntries(changed.map((field) => [field.setting, given(field) || undefined])),
      ...place,
    },
  }
}

function problemOf(
  { kind, isRequired, oneOf, origin }: ServiceField,
  value: string,
  isMoved: boolean,
): ServiceProblem | undefined {
  if (kind === 'secret') {
    if (!isRequired || value !== '') return undefined
    if (origin === undefined) return 'missing'
    return isMoved ? 'again' : undefined
  }
  if (value === '') return isRequired ? 'missing' : undefined
  if ((kind === 'address' || kind === 'link') && !isServiceAddress(value)) return 'notAnAddress'
  return oneOf && !oneOf.includes(value) ? 'notOneOf' : undefined
}

/** Private things belong in MINE, all others in the next free slot; nothing if it has a place. */
function placeFor(
  { slug, isPrivate, isUsed }: ServiceEngine,
  { mine, slots, isFixed }: Bindings,
): Edits | 'mine' | 'slots' {
  if (isUsed) return {}
  if (isPrivate) return isFixed('MINE') ? 'mine' : { MINE: [...mine, slug].join(' ') }
  const [free] = freeSlots({ slots, isFixed })
  return free === undefined ? 'slots' : { [slotSetting(free)]: slug }
}

/** With a stored document, the store removes what belongs to it. */
export function editsToRemove({ slug, origin }: ServiceEngine, { configuration, stored }: Known): Edits {
  if (origin === 'document') return { [documentSettingOf(slug)]: undefined }
  const engine = configuration.allEngines.find((candidate) => candidate.slug === slug)
  const settings = engine ? [...settingsOf([engine])] : []
  return { ...Object.fromEntries(settings.map((name) => [name, undefined])), ...editsWithout(slug, stored) }
}
