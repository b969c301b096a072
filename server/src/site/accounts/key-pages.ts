// Settings → API keys: the list, and revoking one. Whoever opens a key by its number sees their own alone; another's is
// answered as one that does not exist.
import { z } from 'zod'
import { type KeyRecord, listKeys } from '../../keys/key-records.ts'
import { findOwnKey, revokeOwnKey } from '../../keys/own-keys.ts'
import { monthOf } from '../../limits/usage-reading.ts'
import { PageError } from '../http/error-pages.ts'
import { type Html, html } from '../http/html.ts'
import { definePage, redirectTo, type View, type Visit } from '../http/page.ts'
import { addressOf } from '../parts/address.ts'
import { type Column, dataTable } from '../parts/data-table.ts'
import { actions, button, buttonLink, postForm } from '../parts/form.ts'
import { emptyState, notice, stateWord } from '../parts/notice.ts'
import { settingsFrame } from '../parts/settings-frame.ts'
import type { Viewer } from '../site-services.ts'
import { nameDay, showPast } from './moments.ts'

export type OwnVisit = Visit<unknown, unknown, Viewer>

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
  async handle(visit) {
    const { keys: words } = visit.words.accounts
    const { after, done } = visit.query
    const page = { username: visit.viewer.username, after, limit: KEYS_ON_A_PAGE }
    const keys = await listKeys(visit.services.accounts.access, page)
    const counted = await withCounts(keys, visit)
    const last = keys.length === KEYS_ON_A_PAGE ? keys.at(-1)?.id : undefined
    return framedKeys(visit, words.title, {
      content: html`${done && notice('good', words.revoked)}${keys.length === 0 && after === '0' ? noKeys(visit) : keyList(visit, counted)}
${last && html`<p><a href="${addressOf('/settings/keys', { after: last })}">${visit.words.frame.nextPage}</a></p>`}`,
    })
  },
})

const revokePage = definePage({
  method: 'GET',
  path: '/settings/keys/:keyId/revoke',
  access: 'user',
  async handle(visit) {
    const key = await ownKeyOf(visit)
    const { frame, accounts } = visit.words
    const words = accounts.keys
    const body = actions(button(words.revokeSubmit, 'danger'), buttonLink(frame.cancel, '/settings/keys'))
    return framedKeys(visit, words.revokeTitle, {
      content: html`<p>${nameOf(key, visit)} ${prefixOf(key)}</p>
<p class="measure">${words.revokeHelp}</p>
${postForm(visit, { action: `/settings/keys/${key.id}/revoke`, body })}`,
    })
  },
})

const revokeAction = definePage({
  method: 'POST',
  path: '/settings/keys/:keyId/revoke',
  access: 'user',
  async handle(visit) {
    const key = await ownKeyOf(visit)
    await revokeOwnKey(visit.services.accounts.access, { userId: visit.viewer.userId, keyId: key.id })
    return redirectTo('/settings/keys?done=revoked')
  },
})

export const keyPages = [keysPage, revokePage, revokeAction]

/** The key that the address names, when it is the viewer's own. */
export async function ownKeyOf({ params, viewer, services }: OwnVisit): Promise<KeyRecord> {
  const own = { userId: viewer.userId, keyId: params['keyId'] ?? '' }
  const key = await findOwnKey(services.accounts.access, own)
  if (!key) throw new PageError('notFound')
  return key
}

export const nameOf = (key: KeyRecord, { words }: Pick<Visit, 'words'>): Html =>
  key.name === '' ? html`<span class="quiet">${words.accounts.keys.unnamed}</span>` : html`<bdi>${key.name}</bdi>`

/** As much of a key as may be shown: enough to know it by. */
export const prefixOf = ({ secrets }: KeyRecord): Html | false => {
  const [newest] = secrets
  return newest !== undefined && html`<code>${showPrefix(newest.prefix)}</code>`
}

const showPrefix = (prefix: string): string => `bowerbird_${prefix}…`

export const framedKeys = (
  visit: OwnVisit,
  title: string,
  view: { content: Html; status?: number; headers?: Record<string, string> },
): View => ({
  title,
  body: settingsFrame(visit, '/settings/keys', { title, content: view.content }),
  layout: 'wide',
  status: view.status ?? 200,
  headers: view.headers ?? {},
})

async function withCounts(keys: readonly KeyRecord[], { services }: OwnVisit): Promise<CountedKey[]> {
  const keyIds = keys.map(({ id }) => id)
  const { counts, isComplete } = await services.usage.ofKeys(keyIds, `${monthOf(services.clock())}-01`)
  const totals = new Map<string, number>()
  for (const { keyId, count } of counts) totals.set(keyId, (totals.get(keyId) ?? 0) + count)
  return keys.map((key) => ({ ...key, searches: isComplete ? (totals.get(key.id) ?? 0) : undefined }))
}

function noKeys({ words }: OwnVisit): Html {
  const { emptyTitle, emptyHelp, create } = words.accounts.keys
  const action = buttonLink(create, '/settings/keys/new', 'primary')
  return emptyState({ title: emptyTitle, help: emptyHelp, action })
}

/** What can be used first; what is over behind a line that opens. */
function keyList(visit: OwnVisit, keys: readonly CountedKey[]): Html {
  const words = visit.words.accounts.keys
  const active = keys.filter(({ state }) => state === 'active')
  const inactive = keys.filter(({ state }) => state !== 'active')
  const columns = columnsFor(visit)
  return html`<p class="measure">${words.intro}</p>
<p>${buttonLink(words.create, '/settings/keys/new', 'primary')}</p>
${active.length > 0 && dataTable(words.caption, [...columns, actionsColumn(visit)], active)}
${
  inactive.length > 0 &&
  html`<details><summary>${words.inactive(inactive.length)}</summary>${dataTable(words.inactive(inactive.length), columns, inactive)}</details>`
}`
}

function columnsFor(visit: OwnVisit): Column<CountedKey>[] {
  const words = visit.words.accounts.keys
  const numbers = new Intl.NumberFormat(visit.locale)
  return [
    {
      label: words.key,
      isHeading: true,
      cell: (key) =>
        html`<span>${nameOf(key, visit)}<span class="key-prefix">${prefixOf(key)}${olderOf(key, visit)}</span></span>`,
    },
    { label: words.created, cell: ({ createdAt }) => showPast(createdAt, visit) },
    { label: words.lastUsed, cell: ({ lastUsedAt }) => (lastUsedAt ? showPast(lastUsedAt, visit) : words.never) },
    {
      label: words.month,
      isNumber: true,
      cell: ({ searches }) => (searches === undefined ? '–' : numbers.format(searches)),
    },
    { label: words.state, cell: (key) => stateOf(key, visit) },
  ]
}

const olderOf = ({ secrets }: KeyRecord, visit: OwnVisit): Html[] =>
  secrets.slice(1).map(({ prefix, expiresAt }) => {
    const text = expiresAt && visit.words.accounts.keys.olderUntil(showPrefix(prefix), nameDay(expiresAt, visit))
    return html`<span class="beside">${text}</span>`
  })

function stateOf({ state, expiresAt }: KeyRecord, visit: OwnVisit): Html {
  const words = visit.words.accounts.keys
  const dot = ({ active: 'up', expired: 'unknown', revoked: 'down' } as const)[state]
  const until = state === 'active' && expiresAt && words.expires(nameDay(expiresAt, visit))
  return html`<span>${stateWord(dot, words.states[state])}${until && html`<span class="beside">${until}</span>`}</span>`
}

function actionsColumn({ words }: OwnVisit): Column<CountedKey> {
  const { actions, rotate, revoke } = words.accounts.keys
  return {
    label: actions,
    cell: ({ id }) =>
      html`<span class="row-actions"><a href="/settings/keys/${id}/rotate">${rotate}</a> <a href="/settings/keys/${id}/revoke">${revoke}</a></span>`,
  }
}
