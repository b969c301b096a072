// Settings → API keys: lists and revokes keys. Users can open only their own; another user's key is a 404.
import { z } from 'zod'
import { type KeyRecord, listKeys } from '../../keys/key-records.ts'
import { findOwnKey, revokeOwnKey } from '../../keys/keys.ts'
import { monthOf } from '../../text/utc-day.ts'
import { PageError } from '../http/error-pages.ts'
import { type Html, html } from '../http/html.ts'
import { definePage, type PageContext, redirectTo, type View } from '../http/page.ts'
import { addressOf } from '../parts/address.ts'
import { type Column, dataTable } from '../parts/data-table.ts'
import { actions, button, buttonLink, postForm } from '../parts/form.ts'
import { emptyState, notice, stateWord } from '../parts/notice.ts'
import { type SettingsPath, settingsFrame } from '../parts/settings-frame.ts'
import { actingAccess, type OwnContext } from './member.ts'
import { nameDay, showPast } from './moments.ts'

const KEYS_ON_A_PAGE = 50

interface CountedKey extends KeyRecord {
  /** Undefined while the usage cannot be read. */
  searches: number | undefined
}

const keysPage = definePage({
  method: 'GET',
  path: '/settings/keys',
  access: 'user',
  query: z.object({
    after: z
      .string()
      .regex(/^\d{1,18}$/)
      .catch('0'),
    done: z.literal('revoked').optional().catch(undefined),
  }),
  async handle(context) {
    const { keys: words } = context.words.accounts
    const { after, done } = context.query
    const page = { username: context.viewer.username, after, limit: KEYS_ON_A_PAGE }
    const keys = await listKeys(context.services.accounts.access, page)
    const counted = await withCounts(keys, context)
    const last = keys.length === KEYS_ON_A_PAGE ? keys.at(-1)?.id : undefined
    return framedKeys(context, words.title, {
      content: html`${done && notice('good', words.revoked)}${keys.length === 0 && after === '0' ? noKeys(context) : keyList(context, counted)}
${last && html`<p><a href="${addressOf('/settings/keys', { after: last })}">${context.words.frame.nextPage}</a></p>`}`,
    })
  },
})

const revokePage = definePage({
  method: 'GET',
  path: '/settings/keys/:keyId/revoke',
  access: 'user',
  async handle(context) {
    const key = await ownKeyOf(context)
    const { frame, accounts } = context.words
    const words = accounts.keys
    const body = actions(button(words.revokeSubmit, 'danger'), buttonLink(frame.cancel, '/settings/keys'))
    return framedKeys(context, words.revokeTitle, {
      content: html`<p>${nameOf(key, context)} ${prefixOf(key)}</p>
<p class="measure">${words.revokeHelp}</p>
${postForm(context, { action: `/settings/keys/${key.id}/revoke`, body })}`,
    })
  },
})

const revokeAction = definePage({
  method: 'POST',
  path: '/settings/keys/:keyId/revoke',
  access: 'user',
  async handle(context) {
    const key = await ownKeyOf(context)
    await revokeOwnKey(actingAccess(context), { userId: context.viewer.userId, keyId: key.id })
    return redirectTo('/settings/keys?done=revoked')
  },
})

export const keyPages = [keysPage, revokePage, revokeAction]

/** Returns the key in the URL if it is the viewer's own; otherwise throws a 404. */
export async function ownKeyOf({ params, viewer, services }: OwnContext): Promise<KeyRecord> {
  const own = { userId: viewer.userId, keyId: params['keyId'] ?? '' }
  const key = await findOwnKey(services.accounts.access, own)
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

const showPrefix = (prefix: string): string => `bowerbird_${prefix}…`

interface FramedView {
  content: Html
  status?: number
  headers?: Record<string, string>
}

export const framedBy =
  (current: SettingsPath) =>
  (context: OwnContext, title: string, { content, status = 200, headers = {} }: FramedView): View => ({
    title,
    body: settingsFrame(context, current, { title, content }),
    layout: 'wide',
    status,
    headers,
  })

export const framedKeys = framedBy('/settings/keys')

async function withCounts(keys: readonly KeyRecord[], { services }: OwnContext): Promise<CountedKey[]> {
  const keyIds = keys.map(({ id }) => id)
  const { counts, isComplete } = await services.usage.ofKeys(keyIds, `${monthOf(services.clock())}-01`)
  const totals = new Map<string, number>()
  for (const { keyId, count } of counts) totals.set(keyId, (totals.get(keyId) ?? 0) + count)
  return keys.map((key) => ({ ...key, searches: isComplete ? (totals.get(key.id) ?? 0) : undefined }))
}

function noKeys({ words }: OwnContext): Html {
  const { emptyTitle, emptyHelp, create } = words.accounts.keys
  const action = buttonLink(create, '/settings/keys/new', 'primary')
  return emptyState({ title: emptyTitle, help: emptyHelp, action })
}

/** Active keys first; inactive ones in a collapsed section. */
function keyList(context: OwnContext, keys: readonly CountedKey[]): Html {
  const words = context.words.accounts.keys
  const active = keys.filter(({ state }) => state === 'active')
  const inactive = keys.filter(({ state }) => state !== 'active')
  const columns = columnsFor(context)
  return html`<p class="measure">${words.intro}</p>
<p>${buttonLink(words.create, '/settings/keys/new', 'primary')}</p>
${active.length > 0 && dataTable(words.caption, [...columns, actionsColumn(context)], active)}
${
  inactive.length > 0 &&
  html`<details><summary>${words.inactive(inactive.length)}</summary>${dataTable(words.inactive(inactive.length), columns, inactive)}</details>`
}`
}

function columnsFor(context: OwnContext): Column<CountedKey>[] {
  const words = context.words.accounts.keys
  const numbers = new Intl.NumberFormat(context.locale)
  return [
    {
      label: words.key,
      isHeading: true,
      cell: (key) =>
        html`<span>${nameOf(key, context)}<span class="key-prefix">${prefixOf(key)}${olderOf(key, context)}</span></span>`,
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

const olderOf = ({ secrets }: KeyRecord, context: OwnContext): Html[] =>
  secrets.slice(1).map(({ prefix, expiresAt }) => {
    const text = expiresAt && context.words.accounts.keys.olderUntil(showPrefix(prefix), nameDay(expiresAt, context))
    return html`<span class="beside">${text}</span>`
  })

function stateOf({ state, expiresAt }: KeyRecord, context: OwnContext): Html {
  const words = context.words.accounts.keys
  const dot = ({ active: 'up', expired: 'unknown', revoked: 'down' } as const)[state]
  const until = state === 'active' && expiresAt && words.expires(nameDay(expiresAt, context))
  return html`<span>${stateWord(dot, words.states[state])}${until && html`<span class="beside">${until}</span>`}</span>`
}

function actionsColumn({ words, hasPage }: OwnContext): Column<CountedKey> {
  const { actions, rotate, revoke } = words.accounts.keys
  const hasTest = hasPage('/settings/connect/test/:keyId')
  return {
    label: actions,
    cell: ({ id }) =>
      html`<span class="row-actions">${hasTest && html`<a href="/settings/connect/test/${id}">${words.connect.test}</a> `}<a href="/settings/keys/${id}/rotate">${rotate}</a> <a href="/settings/keys/${id}/revoke">${revoke}</a></span>`,
  }
}
