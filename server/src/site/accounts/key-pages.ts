// Settings → API keys: lists, creates, rotates and revokes keys. Users can open only their own; another user's key is a
// 404. Only the response to the form itself contains a secret: no redirect carries it, no page shows it again, and the
// response is sent with `no-store`. Making a secret asks for the password or a passkey first, so that an unattended
// browser can't be turned into a key that outlives the session.
import { z } from 'zod'
import type { Accounts } from '../../accounts/accounts.ts'
import type { FieldMessages } from '../../errors.ts'
import { MAX_NETWORKS, parseNetwork, splitNetworks } from '../../keys/allowed-networks.ts'
import { type KeyRecord, listKeys } from '../../keys/key-records.ts'
import {
  createKey,
  findOwnKey,
  type IssuedKey,
  MAX_NEW_SECRETS_PER_HOUR,
  revokeOwnKey,
  rotateOwnKey,
  TooManyKeys,
  TooManyNewSecrets,
} from '../../keys/keys.ts'
import {
  CHOOSABLE_SCOPES,
  DEFAULT_SCOPES,
  isAllowedTogether,
  MINE_SCOPE,
  normaliseScopes,
  READ_LINKS_SCOPE,
  READ_SCOPE,
  type Scope,
  URL_KEY_SCOPE,
} from '../../keys/scopes.ts'
import { monthOf } from '../../text/utc-day.ts'
import { PageError } from '../http/error-pages.ts'
import { type Html, html } from '../http/html.ts'
import { definePage, type Page, type PageContext, redirectTo, type View } from '../http/page.ts'
import { hasMine } from '../mine.ts'
import { addressOf } from '../parts/address.ts'
import { type Column, dataTable } from '../parts/data-table.ts'
import {
  actions,
  button,
  buttonLink,
  choiceField,
  postForm,
  type SelectParts,
  selectField,
  textField,
} from '../parts/form.ts'
import { formatDay, showPast } from '../parts/formats.ts'
import { copyable, emptyState, notice, stateWord } from '../parts/notice.ts'
import { settingsView } from '../parts/settings-view.ts'
import type { PageReading } from '../reading/read-page.ts'
import type { UsageReader } from '../settings/usage-reader.ts'
import { actingAccess, type FormState, type SignedInContext, textInput } from './account-forms.ts'

export interface KeyPagesParts {
  accounts: Accounts
  usage: UsageReader
  /** Whether keys with the scope for it are accepted in URLs. */
  areUrlKeysOn: boolean
  /** undefined: this instance reads no pages. */
  reading: PageReading | undefined
}

const DAY_SECONDS = 86_400
const KEYS_PER_PAGE = 50
/** `default`: what the operator has set. */
const EXPIRY_DAYS = { default: undefined, never: null, d7: 7, d30: 30, d90: 90, d365: 365 } as const
type Expiry = keyof typeof EXPIRY_DAYS
const EXPIRIES = Object.keys(EXPIRY_DAYS) as Expiry[]
const GRACE_SECONDS = { s0: 0, h1: 3_600, h24: DAY_SECONDS, d7: 7 * DAY_SECONDS } as const
type Grace = keyof typeof GRACE_SECONDS

const MAX_NAME_LENGTH = 100
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u
const MAX_NETWORKS_LENGTH = 1_000
const areValidNetworks = (networks: readonly string[]): boolean =>
  networks.length <= MAX_NETWORKS && networks.every(parseNetwork)
export const isValidName = (text: string): boolean =>
  Array.from(text.trim()).length <= MAX_NAME_LENGTH && !UNPRINTABLE.test(text)

/** The scopes that have a checkbox in the form. */
const OFFERED_SCOPES = [...CHOOSABLE_SCOPES, URL_KEY_SCOPE] as const
type OfferedScope = (typeof OFFERED_SCOPES)[number]

const isOfferedScope = (value: unknown): value is OfferedScope => OFFERED_SCOPES.some((scope) => scope === value)

const EMPTY_FORM: NewKeyForm = { name: '', expiry: 'default', networks: '', scopes: [] }
const NEW_PATH = '/settings/keys/new'
const ROTATE_PATH = '/settings/keys/:keyId/rotate'

const KeysQuery = z.object({
  after: z
    .string()
    .regex(/^\d{1,18}$/)
    .catch('0'),
  done: z.literal('revoked').optional().catch(undefined),
})

const keysPage = ({ accounts, usage }: KeyPagesParts) =>
  definePage({
    method: 'GET',
    path: '/settings/keys',
    access: 'user',
    query: KeysQuery,
    async handle(context) {
      const { keys: words } = context.words.accounts
      const { after, done } = context.query
      const page = { username: context.viewer.username, after, limit: KEYS_PER_PAGE }
      const keys = await listKeys(accounts.access, page)
      const counted = await withCounts(usage, keys, context)
      const last = keys.length === KEYS_PER_PAGE ? keys.at(-1)?.id : undefined
      return settingsView(context, '/settings/keys', {
        title: words.title,
        content: html`${done && notice('good', words.revoked)}${keys.length === 0 && after === '0' ? noKeys(context) : keyList(context, counted)}
${last && html`<p><a href="${addressOf('/settings/keys', { after: last })}">${context.words.frame.nextPage}</a></p>`}`,
      })
    },
  })

const revokePage = ({ accounts }: KeyPagesParts) =>
  definePage({
    method: 'GET',
    path: '/settings/keys/:keyId/revoke',
    access: 'user',
    async handle(context) {
      const key = await ownKeyOf(accounts, context)
      const { frame } = context.words
      const words = context.words.accounts.keys
      const body = actions(button(words.revokeSubmit, 'danger'), buttonLink(frame.cancel, '/settings/keys'))
      return settingsView(context, '/settings/keys', {
        title: words.revokeTitle,
        content: html`${keyLine(key, context)}
<p class="measure">${words.revokeHelp}</p>
${postForm(context, { action: `/settings/keys/${key.id}/revoke`, body })}`,
      })
    },
  })

const revokeAction = ({ accounts }: KeyPagesParts) =>
  definePage({
    method: 'POST',
    path: '/settings/keys/:keyId/revoke',
    access: 'user',
    async handle(context) {
      const key = await ownKeyOf(accounts, context)
      await revokeOwnKey(actingAccess(accounts, context), { userId: context.viewer.userId, keyId: key.id })
      return redirectTo('/settings/keys?done=revoked')
    },
  })

// A link may suggest a name and scopes; the key's owner still decides.
const NewKeyQuery = z.object({ name: z.string().max(MAX_NAME_LENGTH).catch(''), scopes: z.string().catch('') })

const newKeyPage = ({ accounts, areUrlKeysOn, reading }: KeyPagesParts) =>
  definePage({
    method: 'GET',
    path: NEW_PATH,
    access: 'user',
    stepUp: NEW_PATH,
    query: NewKeyQuery,
    handle(context) {
      const { name, scopes } = context.query
      const suggested = scopes.split(' ').filter(isOfferedScope)
      return newKeyView({ accounts, areUrlKeysOn, reading }, context, {
        ...EMPTY_FORM,
        name,
        scopes: suggested.length > 0 ? suggested : DEFAULT_SCOPES,
      })
    },
  })

const newKeyForm = () =>
  z.object({
    name: textInput,
    expiry: z.enum(EXPIRIES).catch('default'),
    networks: textInput,
    scopes: z.preprocess((value) => [value ?? []].flat().filter(isOfferedScope), z.array(z.enum(OFFERED_SCOPES))),
  })

const newKeyAction = (parts: KeyPagesParts) =>
  definePage({
    method: 'POST',
    path: NEW_PATH,
    access: 'user',
    stepUp: NEW_PATH,
    form: newKeyForm,
    async handle(context) {
      const { form, words } = context
      const values = form.ok ? form.values : EMPTY_FORM
      const { name, expiry } = values
      // Links are those of a page that was read.
      const scopes = normaliseScopes(
        values.scopes.includes(READ_LINKS_SCOPE) ? [...values.scopes, READ_SCOPE] : values.scopes,
      )
      const networks = splitNetworks(values.networks)
      const { badName, badNetworks, noScope, addressAlone } = words.accounts.keys
      // Validated here and not by the schema, so that the form comes back as it was filled in.
      const messages = {
        ...(!isValidName(name) && { name: [badName] }),
        ...(!areValidNetworks(networks) && { networks: [badNetworks({ most: MAX_NETWORKS })] }),
        ...(!isAllowedTogether(scopes) && { scopes: [addressAlone] }),
        ...(scopes.length === 0 && { scopes: [noScope] }),
      }
      if (Object.keys(messages).length > 0) return newKeyView(parts, context, values, { messages, status: 400 })
      const issued = await issueKey(parts.accounts, context, { name, scopes, networks, days: EXPIRY_DAYS[expiry] })
      return 'full' in issued
        ? newSecretView(context, issued, { title: words.accounts.keys.createdTitle })
        : newKeyView(parts, context, values, issued)
    },
  })

const rotatePage = ({ accounts }: KeyPagesParts) =>
  definePage({
    method: 'GET',
    path: ROTATE_PATH,
    access: 'user',
    stepUp: ROTATE_PATH,
    handle: (context) => rotateView(accounts, context),
  })

const rotateForm = () => z.object({ grace: z.enum(['s0', 'h1', 'h24', 'd7']).catch('h24') })

const rotateAction = ({ accounts }: KeyPagesParts) =>
  definePage({
    method: 'POST',
    path: ROTATE_PATH,
    access: 'user',
    stepUp: ROTATE_PATH,
    form: rotateForm,
    async handle(context) {
      const { form, viewer, words } = context
      const key = await ownKeyOf(accounts, context)
      if (key.state !== 'active' || key.client !== undefined) return await rotateView(accounts, context)
      const graceSeconds = GRACE_SECONDS[form.ok ? form.values.grace : 'h24']
      const ids = { userId: viewer.userId, keyId: key.id }
      const issued = await orRefusal(context, rotateOwnKey(actingAccess(accounts, context), ids, { graceSeconds }))
      return 'full' in issued
        ? newSecretView(context, issued, { title: words.accounts.keys.rotatedTitle })
        : await rotateView(accounts, context, issued)
    },
  })

export const keyPages = (parts: KeyPagesParts): Page[] => [
  keysPage(parts),
  newKeyPage(parts),
  newKeyAction(parts),
  rotatePage(parts),
  rotateAction(parts),
  revokePage(parts),
  revokeAction(parts),
]

/** Returns the key in the URL if it is the viewer's own; otherwise throws a 404. */
export async function ownKeyOf(accounts: Accounts, { params, viewer }: SignedInContext): Promise<KeyRecord> {
  const ids = { userId: viewer.userId, keyId: params['keyId'] ?? '' }
  const key = await findOwnKey(accounts.access, ids)
  if (!key) throw new PageError('notFound')
  return key
}

export const nameOf = (key: KeyRecord, { words }: Pick<PageContext, 'words'>): Html =>
  key.name === '' ? html`<span class="quiet">${words.accounts.keys.unnamed}</span>` : html`<bdi>${key.name}</bdi>`

/** The part of a key that may be shown: enough to recognise it. */
export const prefixOf = ({ secrets }: KeyRecord): Html | false => {
  const [newest] = secrets
  return newest !== undefined && html`<code>${showPrefix(newest.prefix)}</code>`
}

/** Which key a page is about. */
export const keyLine = (key: KeyRecord, context: Pick<PageContext, 'words'>): Html =>
  html`<p>${nameOf(key, context)} ${prefixOf(key)}</p>`

const showPrefix = (prefix: string): string => `bowerbird_${prefix}…`

interface WantedKey {
  name: string
  scopes: readonly Scope[]
  networks?: readonly string[]
  /** Null: the key never expires. Undefined: as the operator has set. */
  days: number | null | undefined
}

/** Creates a key for the viewer, or returns what their form says instead. */
export async function issueKey(
  accounts: Accounts,
  context: SignedInContext,
  { days, ...wanted }: WantedKey,
): Promise<IssuedKey | FormState> {
  const { viewer, clock } = context
  const expiresAt = typeof days === 'number' ? new Date(clock() + days * DAY_SECONDS * 1_000) : null
  const input = { owner: { userId: viewer.userId }, ...wanted, ...(days !== undefined && { expiresAt }) }
  return await orRefusal(context, createKey(actingAccess(accounts, context), input))
}

/** A new key or secret, or the state of the form if the user has too many keys or has made too many lately. */
export async function orRefusal<Made>(
  { words }: Pick<PageContext, 'words'>,
  making: Promise<Made>,
): Promise<Made | FormState> {
  const { tooMany, tooManyNew } = words.accounts.keys
  try {
    return await making
  } catch (error) {
    if (error instanceof TooManyKeys) return { status: 409, note: notice('bad', tooMany({ most: error.most })) }
    if (!(error instanceof TooManyNewSecrets)) throw error
    const minutes = Math.ceil(error.retryAfterSeconds / 60)
    return {
      status: 429,
      headers: { 'Retry-After': String(error.retryAfterSeconds) },
      note: notice('bad', tooManyNew({ most: MAX_NEW_SECRETS_PER_HOUR, minutes })),
    }
  }
}

interface CountedKey extends KeyRecord {
  /** Undefined while the usage cannot be read. */
  searches: number | undefined
}

async function withCounts(
  usage: UsageReader,
  keys: readonly KeyRecord[],
  { clock }: SignedInContext,
): Promise<CountedKey[]> {
  const keyIds = keys.map(({ id }) => id)
  const { counts, isComplete } = await usage.ofKeys(keyIds, `${monthOf(clock())}-01`)
  const totals = new Map<string, number>()
  for (const { keyId, count } of counts) totals.set(keyId, (totals.get(keyId) ?? 0) + count)
  return keys.map((key) => ({ ...key, searches: isComplete ? (totals.get(key.id) ?? 0) : undefined }))
}

function noKeys({ words }: SignedInContext): Html {
  const { emptyTitle, emptyHelp, create } = words.accounts.keys
  const action = buttonLink(create, '/settings/keys/new', 'primary')
  return emptyState({ title: emptyTitle, help: emptyHelp, action })
}

/** Active keys first; inactive ones in a collapsed section. */
function keyList(context: SignedInContext, keys: readonly CountedKey[]): Html {
  const words = context.words.accounts.keys
  const active = keys.filter(({ state }) => state === 'active')
  const inactive = keys.filter(({ state }) => state !== 'active')
  const columns = columnsFor(context)
  return html`<p class="measure">${words.intro}</p>
<p>${buttonLink(words.create, '/settings/keys/new', 'primary')}</p>
${active.length > 0 && dataTable(words.caption, [...columns, actionsColumn(context)], active)}
${
  inactive.length > 0 &&
  html`<details><summary>${words.inactive({ count: inactive.length })}</summary>${dataTable(words.inactive({ count: inactive.length }), columns, inactive)}</details>`
}`
}

function columnsFor(context: SignedInContext): Column<CountedKey>[] {
  const words = context.words.accounts.keys
  const numbers = new Intl.NumberFormat(context.locale)
  return [
    {
      label: words.key,
      isHeading: true,
      cell: (key) =>
        html`<span>${nameOf(key, context)}<span class="key-prefix">${key.client === undefined ? html`${prefixOf(key)}${olderSecrets(key, context)}` : words.connected}</span></span>`,
    },
    { label: words.created, cell: ({ createdAt }) => showPast(createdAt, context) },
    { label: words.lastUsed, cell: ({ lastUsedAt }) => (lastUsedAt ? showPast(lastUsedAt, context) : words.never) },
    {
      label: words.month,
      isNumber: true,
      cell: ({ searches }) => (searches === undefined ? '–' : numbers.format(searches)),
    },
    { label: words.state, cell: (key) => stateOf(key, context) },
  ]
}

const olderSecrets = ({ secrets }: KeyRecord, context: SignedInContext): Html[] =>
  secrets.slice(1).map(({ prefix, expiresAt }) => {
    const text =
      expiresAt &&
      context.words.accounts.keys.olderUntil({ prefix: showPrefix(prefix), when: formatDay(expiresAt, context) })
    return html`<span class="beside">${text}</span>`
  })

function stateOf({ state, expiresAt, networks }: KeyRecord, context: SignedInContext): Html {
  const words = context.words.accounts.keys
  const dot = ({ active: 'up', expired: 'unknown', revoked: 'down' } as const)[state]
  const until = state === 'active' && expiresAt && words.expires({ when: formatDay(expiresAt, context) })
  const from = state === 'active' && networks.length > 0 && words.onlyFrom({ networks: networks.join(', ') })
  return html`<span>${stateWord(dot, words.states[state])}${[until, from].map((text) => text && html`<span class="beside">${text}</span>`)}</span>`
}

function actionsColumn({ words, hasPage }: SignedInContext): Column<CountedKey> {
  const { actions, rotate, revoke } = words.accounts.keys
  const hasSites = hasPage('/settings/keys/:keyId/sites')
  return {
    label: actions,
    cell: ({ id, client }) =>
      html`<span class="row-actions">${client === undefined && html`<a href="/settings/keys/${id}/rotate">${rotate}</a> `}${hasSites && html`<a href="/settings/keys/${id}/sites">${words.frame.settingsPages.sites}</a> `}<a href="/settings/keys/${id}/revoke">${revoke}</a></span>`,
  }
}

interface NewKeyForm {
  name: string
  expiry: Expiry
  /** As typed. */
  networks: string
  scopes: readonly OfferedScope[]
}

/** Whether this instance has what a scope is for, as far as the viewer is concerned. */
export const isScopeAvailable = (
  { areUrlKeysOn, reading }: Pick<KeyPagesParts, 'areUrlKeysOn' | 'reading'>,
  scope: Scope,
  context: SignedInContext,
): boolean =>
  (scope !== URL_KEY_SCOPE || areUrlKeysOn) &&
  ((scope !== READ_SCOPE && scope !== READ_LINKS_SCOPE) || reading !== undefined) &&
  (scope !== MINE_SCOPE || hasMine(context))

function newKeyView(
  parts: Pick<KeyPagesParts, 'accounts' | 'areUrlKeysOn' | 'reading'>,
  context: SignedInContext,
  { name, expiry, networks, scopes }: NewKeyForm,
  form: FormState = {},
): View {
  const { frame } = context.words
  const words = context.words.accounts.keys
  const { note, status, headers } = form
  const messages: FieldMessages = form.messages ?? {}
  const offered = OFFERED_SCOPES.filter((scope) => isScopeAvailable(parts, scope, context))
  const body = html`${textField({ name: 'name', label: words.name, value: name, help: words.nameHelp, optional: frame.optional, errors: messages['name'], maxlength: MAX_NAME_LENGTH, autofocus: true })}
${selectField({ name: 'expiry', label: words.expiry, value: expiry, options: expiryOptions(parts.accounts, context) })}
${choiceField({
  name: 'scopes',
  type: 'checkbox',
  label: words.scopes,
  errors: messages['scopes'],
  options: offered.map((scope) => ({ value: scope, label: words.scopeNames[scope], isChosen: scopes.includes(scope) })),
})}
${textField({ name: 'networks', label: words.networks, value: networks, help: words.networksHelp, optional: frame.optional, errors: messages['networks'], maxlength: MAX_NETWORKS_LENGTH })}
${actions(button(words.create), buttonLink(frame.cancel, '/settings/keys'))}`
  return settingsView(context, '/settings/keys', {
    title: words.newTitle,
    content: html`${note}${postForm(context, { action: NEW_PATH, body })}`,
    status,
    headers,
  })
}

/** The operator's default comes first, and so is chosen unless the user chooses. */
function expiryOptions(accounts: Accounts, { words }: SignedInContext): SelectParts['options'] {
  const { expiries, defaultExpiry } = words.accounts.keys
  const { defaultKeyDays } = accounts.access
  return EXPIRIES.flatMap((value): SelectParts['options'] => {
    if (value !== 'default') return [{ value, label: expiries[value] }]
    return defaultKeyDays === undefined ? [] : [{ value, label: defaultExpiry({ days: defaultKeyDays }) }]
  })
}

async function rotateView(
  accounts: Accounts,
  context: SignedInContext,
  { note, status, headers }: FormState = {},
): Promise<View> {
  const key = await ownKeyOf(accounts, context)
  const { frame } = context.words
  const words = context.words.accounts.keys
  const back = buttonLink(frame.cancel, '/settings/keys')
  const title = words.rotateTitle
  const which = keyLine(key, context)
  if (key.state !== 'active' || key.client !== undefined) {
    const content = html`${which}${notice('bad', key.client === undefined ? words.notActive : words.renewsItself)}<p>${back}</p>`
    return settingsView(context, '/settings/keys', { title, content, status: 409 })
  }
  const options = (Object.keys(GRACE_SECONDS) as Grace[]).map((value) => ({ value, label: words.graces[value] }))
  const body = html`${selectField({ name: 'grace', label: words.grace, value: 'h24', options })}
${actions(button(words.rotateSubmit), back)}`
  return settingsView(context, '/settings/keys', {
    title,
    content: html`${note}${which}<p class="measure">${words.rotateHelp}</p>
${postForm(context, { action: `/settings/keys/${key.id}/rotate`, body })}`,
    status,
    headers,
  })
}

/** The only page that ever shows the key. */
interface SecretPage {
  title: string
  /** The list of keys, unless it is given. */
  back?: { path: string; label: string }
}

export function newSecretView(context: SignedInContext, { key, full }: IssuedKey, { title, back }: SecretPage): View {
  const { frame, accounts } = context.words
  const words = accounts.keys
  const { path: backPath, label } = back ?? { path: '/settings/keys', label: words.backToKeys }
  const path = key.scopes.includes('search') ? '/api/v1/web/?q=bowerbird' : '/api/v1/key/'
  const curl = `curl -H 'Authorization: Api-Key ${full}' '${context.baseUrl}${path}'`
  const content = html`<p>${nameOf(key, context)}</p>
<div class="once">${copyable(full, frame, words.key)}</div>
<p class="measure">${words.once}</p>
${key.scopes.includes(URL_KEY_SCOPE) && notice('bad', words.addressWarning)}
<h2>${words.tryIt}</h2>
<div class="once">${copyable(curl, frame, words.tryIt)}</div>
<p>${buttonLink(label, backPath, 'primary')}</p>`
  return settingsView(context, back ? '/admin/users' : '/settings/keys', {
    title,
    content,
    headers: { 'Cache-Control': 'no-store' },
  })
}
